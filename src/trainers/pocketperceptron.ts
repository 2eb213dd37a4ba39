// PocketPerceptron: keeps the best weights of training, for data that no plane separates (Gallant 1990; SPEC §5, §6).

import type { Label, Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import { type OptionsJSON, openModel, optionsFrom, optionsJSON, type Packed } from '../model/json.js';
import { linearToJSON, type PerceptronJSON } from '../model/linear-json.js';
import type { FitAsyncOptions, FitOptions, PocketPerceptronOptions } from '../train/options.js';
import { POCKET, type PrimalSettings, resolve } from '../train/settings.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { Perceptron, primalOptionsOf } from './perceptron.js';

/**
 * The perceptron with a pocket: it keeps the weights that made the fewest mistakes on all training rows, and predicts with
 * them. `report.pocket` has their mistakes, those of the last weights, and the update that last filled the pocket.
 *
 * @example
 * const xor = new PocketPerceptron({ maxEpochs: 20 }).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1]);
 * console.log(xor.report.pocket?.errors); // → 1
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface only narrows what the inherited `fit` and `fitAsync` return
export class PocketPerceptron<L extends Label = Label> extends Perceptron<L> {
  /** Survives minification: consoles and messages show it. */
  static override readonly name: string = 'PocketPerceptron';

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: PocketPerceptronOptions<L> = {}) {
    super();
    this.settings = resolve(POCKET, options);
  }

  /** @internal */
  override packed(): Packed<PerceptronJSON> {
    return linearToJSON('pocket-perceptron', this.fitted('toJSON'), saved(this.settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static override fromJSON<L extends Label = Label>(json: unknown): PocketPerceptron<L> {
    const fields = openModel(json, ['pocket-perceptron']);
    const model = new PocketPerceptron<L>(primalOptionsOf<L>(optionsFrom(fields)));
    model.loadLinear(fields);
    return model;
  }

  /** @internal */
  protected override another(changes?: object): PocketPerceptron<L> {
    const { engine } = this.settings;
    return new PocketPerceptron<L>({ ...primalOptionsOf<L>(saved(this.settings)), engine, ...changes });
  }
}

// Types only: `fit` of a PocketPerceptron returns a PocketPerceptron.
export interface PocketPerceptron<L extends Label> {
  fit<const Y extends Labels<L>, F = Fitted<this, PocketPerceptron, PocketPerceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitOptions,
  ): NoInfer<F>;
  fit(X: Rows, y: Labels<L>, options?: FitOptions): this;
  fitAsync<const Y extends Labels<L>, F = Fitted<this, PocketPerceptron, PocketPerceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitAsyncOptions<L>,
  ): Promise<NoInfer<F>>;
  fitAsync(X: Rows, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
}

/** The options to save: without `pocket`, which every PocketPerceptron has. */
function saved<L extends Label>(settings: PrimalSettings<L>): OptionsJSON {
  const { pocket: _, ...options } = optionsJSON(settings);
  return options;
}
