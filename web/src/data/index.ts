// Your data: choose a file, see what was read, choose what learns, train, look at what came of it. Everything that takes time is
// done by a worker; this is who says what is shown when.

import './style/page.css';
import './style/choosing.css';
import './style/summary.css';
import './style/options.css';
import './style/results.css';
import { writeAddress } from '../address.js';
import type { Part } from '../part.js';
import { h } from '../ui/dom.js';
import { counted } from '../ui/numbers.js';
import { speak } from '../ui/speak.js';
import { type Choice, choiceFrom, paramsOf } from './choice.js';
import { Client } from './client.js';
import { type Example, loadExample } from './examples.js';
import { chooser, pick } from './files.js';
import { focusKeeper } from './focus.js';
import { optionsForm } from './form.js';
import { progressBar } from './progressbar.js';
import { headline } from './results/story.js';
import { summaryView, whyNot } from './summary.js';
import { troubleBox, troubleOf } from './troublebox.js';
import type { Fix, ReadRequest, Results, Summary, Trouble } from './types.js';
import { short } from './words.js';

const loadResults = () => import('./results/index.js');

const FOLDER: Trouble = {
  title: 'That is a folder',
  detail: 'A browser page reads files, not folders.',
  remedy: 'Drop one file of it.',
  fixes: [],
};

class Data {
  readonly #client = new Client((trouble) => this.#lost(trouble));
  readonly #said = h('p', { class: 'data-said', hidden: true });
  readonly #trouble = h('div', { class: 'data-slot' });
  readonly #read = h('div', { class: 'data-slot' });
  readonly #options = h('div', { class: 'data-slot', hidden: true });
  readonly #progress = h('div', { class: 'data-slot' });
  readonly #results = h('div', { class: 'data-slot' });
  readonly #earlier = h(
    'p',
    { class: 'data-said', hidden: true },
    'Below is an earlier result. Train, and the new one takes its place.',
  );
  readonly #train = h('button', { type: 'submit', class: 'main data-train' }, 'Train');
  readonly #chooser = chooser({
    onFiles: (files, isFolder) => this.#take(files, isFolder),
    onText: (file) => {
      this.#say(undefined);
      void this.#load({ file, origin: 'pasted', ignore: [] });
    },
    onExample: (example) => void this.#takeExample(example),
  });
  readonly #form;
  readonly #focus = focusKeeper([this.#trouble, this.#read], () => [
    this.#read.querySelector<HTMLElement>('#data-read'),
    this.#trouble.querySelector<HTMLElement>('h2'),
    this.#chooser.element.querySelector('button'),
  ]);
  #working: AbortController | undefined;
  /** Ends what was asked of the model that is shown, when other work begins: the worker does one thing at a time. */
  #asides = new AbortController();
  /** What the summary that is shown was read with. */
  #request: ReadRequest | undefined;
  #summary: Summary | undefined;
  /** The file whose summary is shown. */
  #shown: File | undefined;

  readonly #elements: readonly HTMLElement[];

  constructor(params: URLSearchParams) {
    this.#form = optionsForm(choiceFrom(params), (choice) => {
      this.#invite('Train');
      this.#remember(choice);
    });
    this.#options.append(this.#form.element);
    this.#form.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#fit();
    });
    this.#form.element.append(h('div', { class: 'row' }, this.#train));
    this.#elements = [
      h('h1', {}, 'Your data'),
      h(
        'p',
        { class: 'data-promise' },
        'Train a perceptron on a table of your own: a row on each line, and in one column the answers, such as spam or not. It learns to answer new rows. ',
        h('strong', {}, 'Nothing leaves your machine:'),
        ' the file is read and trained on here.',
      ),
      this.#chooser.element,
      this.#said,
      this.#trouble,
      this.#read,
      this.#options,
      this.#progress,
      this.#earlier,
      this.#results,
    ];
  }

  update(params: URLSearchParams): void {
    this.#form.set(choiceFrom(params));
  }

  /** Shows itself, with all that was there before; answers how to end that. */
  show(root: HTMLElement): () => void {
    root.append(...this.#elements);
    return this.#chooser.listen();
  }

  /** Has the address say what is chosen. */
  remember(): void {
    const choice = this.#form.read();
    if (choice) this.#remember(choice);
  }

  /** What the button says; it is the main thing to do where there is something new to train. */
  #invite(text: 'Train' | 'Train again'): void {
    this.#train.textContent = text;
    this.#train.classList.toggle('main', text === 'Train');
  }

  #remember(choice: Choice): void {
    writeAddress('data', paramsOf(choice));
  }

  #say(sentence: string | undefined): void {
    this.#said.hidden = sentence === undefined;
    this.#said.textContent = sentence ?? '';
  }

  #take(files: readonly File[], isFolder: boolean): void {
    const picked = isFolder ? undefined : pick(files);
    if (!picked) {
      this.#complain(FOLDER);
      return;
    }
    this.#say(picked.said);
    void this.#load({ file: picked.file, labels: picked.labels, ignore: [] });
  }

  async #takeExample(example: Example): Promise<void> {
    try {
      const file = await loadExample(example);
      this.#say(undefined);
      await this.#load({ file, origin: 'example', ignore: [], label: example.label });
    } catch (error) {
      this.#complain({
        title: 'The example did not come',
        detail: (error as Error).message,
        remedy: 'Is the network gone? Try again, or use a file of your own.',
        fixes: [],
      });
    }
  }

  #complain(trouble: Trouble, tryFix: (fix: Fix) => void = () => {}, said?: string): void {
    const kept = said ?? (this.#summary && `What you had is still here: ${short(this.#summary.file)}.`);
    const box = troubleBox(trouble, tryFix, kept);
    this.#trouble.replaceChildren(box);
    box.scrollIntoView({ block: 'nearest' });
  }

  /** All that was read and learned is gone with the worker; the file itself is still known, and read again. */
  #lost(trouble: Trouble): void {
    const request = this.#request;
    const hadModel = this.#results.firstChild !== null;
    this.#focus.note();
    this.#begin();
    this.#request = undefined;
    this.#summary = undefined;
    this.#options.hidden = true;
    this.#earlier.hidden = true;
    this.#read.replaceChildren();
    this.#results.replaceChildren();
    if (!request) {
      this.#complain(trouble);
      return;
    }
    const again = `${short(request.file.name)} is read again.`;
    const model = hadModel ? ' The model is lost, and must be trained again.' : '';
    this.#complain(trouble, undefined, `${again}${model}`);
    void this.#load(request, [...this.#trouble.children]);
  }

  /** One piece of work at a time: what is under way ends first. */
  #begin(): AbortController {
    this.#working?.abort();
    this.#asides.abort();
    this.#asides = new AbortController();
    const controller = new AbortController();
    this.#working = controller;
    this.#progress.replaceChildren();
    this.#train.hidden = false;
    return controller;
  }

  /** `above`: what is to be read above it, and stays. */
  async #load(request: ReadRequest, above: readonly Element[] = []): Promise<void> {
    this.#focus.note();
    const controller = this.#begin();
    const bar = progressBar(`Reading ${short(request.file.name)}`, 'Cancel', 1, () => {
      this.#focus.note(); // a button that is pressed once loses it
      controller.abort();
    });
    this.#trouble.replaceChildren(...above, bar.element);
    try {
      const summary = await this.#client.ask(
        { do: 'read', request },
        { dropped: controller.signal, onProgress: bar.show },
      );
      if (controller !== this.#working) return;
      this.#focus.note();
      this.#trouble.replaceChildren(...above);
      if (summary) return this.#showData(this.#named(summary), request);
      speak('Cancelled.');
      this.#showSummary();
    } catch (error) {
      if (controller !== this.#working) return;
      this.#focus.note();
      this.#complain(troubleOf(error), ({ change }) => void this.#load({ ...request, ...change }));
      this.#showSummary();
    } finally {
      if (controller === this.#working) this.#focus.restore();
    }
  }

  /** Columns that are left out have no names in what was read; an earlier reading of the file may know them. */
  #named(summary: Summary): Summary {
    const before = this.#summary;
    if (before?.file !== summary.file || before.columns.length !== summary.columns.length) return summary;
    if (!summary.hasHeader) return summary;
    return { ...summary, columns: summary.columns.map((name, index) => name ?? before.columns[index]) };
  }

  #showData(summary: Summary, request: ReadRequest): void {
    this.#request = request;
    this.#summary = summary;
    this.#client.keep({ data: summary.data });
    this.#showSummary();
    this.#chooser.setSmall();
    this.#form.suit(summary);
    this.#invite('Train');
    const isUsable = whyNot(summary) === undefined;
    this.#options.hidden = !isUsable;
    const { file, rows, cols, classes } = summary;
    const told = `${short(file)}: ${counted(rows, 'row')}, ${counted(cols, 'column')}, ${counted(classes.length, 'class', 'classes')}.`;
    speak(isUsable ? `${told} Ready to train.` : `${told} ${whyNot(summary)}`);
    this.#read.scrollIntoView({ block: 'nearest' });
    if (!this.#results.firstChild) return;
    this.#earlier.hidden = false;
    // What helped other data need not help this.
    this.#results.querySelector('.data-advice')?.remove();
    // And the rows that probabilities would be learned from are gone.
    this.#results.querySelector('.data-calibrate')?.remove();
  }

  /** What was read, and how it was taken: also what its controls say, after another way did not work. */
  #showSummary(): void {
    const [summary, request] = [this.#summary, this.#request];
    if (!summary || !request) return;
    const change = (other: Partial<ReadRequest>) => {
      // Without names, or with them, columns are others: what was said of them no longer holds.
      const afresh = other.header === undefined ? {} : { label: undefined, ignore: [], kinds: undefined };
      void this.#load({ ...request, ...afresh, ...other });
    };
    const isListOpen = this.#shown === request.file && this.#read.querySelector('details')?.open === true;
    this.#shown = request.file;
    this.#read.replaceChildren(summaryView(summary, request, { change }, isListOpen));
  }

  async #fit(): Promise<void> {
    const choice = this.#form.read();
    const [request, summary] = [this.#request, this.#summary];
    if (!choice || !request || !summary) return;
    this.#focus.forget();
    const controller = this.#begin();
    const stop = new AbortController();
    const bar = progressBar(
      'Training',
      'Stop here',
      choice.epochs,
      () => stop.abort(),
      () => controller.abort(),
    );
    this.#trouble.replaceChildren();
    this.#progress.replaceChildren(bar.element);
    this.#train.hidden = true;
    bar.element.querySelector('button')?.focus();
    bar.element.scrollIntoView({ block: 'nearest' });
    try {
      const results = await this.#client.ask(
        { do: 'train', data: summary.data, choice },
        { stop: stop.signal, dropped: controller.signal, onProgress: bar.show },
      );
      if (controller !== this.#working) return;
      if (results) await this.#showResults(results, request);
      else {
        speak(controller.signal.aborted ? 'Cancelled.' : 'Stopped before anything was learned.');
        this.#train.hidden = false;
        this.#train.focus({ preventScroll: true });
      }
    } catch (error) {
      if (controller !== this.#working) return;
      this.#complain(troubleOf(error));
    } finally {
      // Whatever was begun since says itself what is shown.
      if (controller === this.#working) {
        this.#train.hidden = false;
        this.#progress.replaceChildren();
      }
    }
  }

  async #showResults(results: Results, request: ReadRequest): Promise<void> {
    const { resultsView } = await loadResults();
    const view = resultsView(results, request, {
      retry: (change) => {
        const choice = { ...results.choice, ...change };
        this.#form.set(choice);
        this.#remember(choice);
        void this.#fit();
      },
      ask: (ask, asking) => this.#client.ask(ask, { ...asking, dropped: this.#asides.signal }),
    });
    this.#client.keep({ model: results.model });
    this.#results.replaceChildren(view);
    this.#earlier.hidden = true;
    this.#invite('Train again');
    speak(`Training is done. ${headline(results)}`);
    const title = view.querySelector<HTMLElement>('#data-outcome');
    title?.focus({ preventScroll: true });
    view.scrollIntoView({ block: 'start' });
  }
}

/** Stays while the page does: who looks at another part comes back to their data and their model, or to training that goes on. */
let data: Data | undefined;

export const part: Part = {
  show(root, params) {
    const isBack = data !== undefined;
    data ??= new Data(params);
    const shown = data;
    const close = shown.show(root);
    // A bare link back to this part says nothing of options: they are as they were.
    if (isBack && params.size > 0) shown.update(params);
    else if (isBack) shown.remember();
    return { update: (next) => shown.update(next), close };
  },
};
