// From a file of texts to a saved model: the command line against a script with scikit-learn, whole processes in turns. Both read
// the same .tsv.gz, take its column of texts alone, weigh words by TF-IDF, train an averaged perceptron for each class against the
// others for ten epochs in shuffled order, hold nothing out, and save the model. What Python's imports take is told apart.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { descriptions, FILE } from '../data/descriptions.js';
import { contestInRounds, median, ratioOf } from '../harness/measure.js';
import { type Answer, byMode, type Findings, tellLater, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { withTemporaryFolder } from '../harness/temporary.js';
import { openNative } from '../peers/native.js';
import { HOME, runProcess } from '../peers/processes.js';

const EPOCHS = 10;
const ROUNDS = byMode({ smoke: 1, quick: 5, full: 15 });
/** Columns that the script does not read, either. */
const OTHERS = ['package', 'tags', 'architecture', 'installedSize', 'host'];

/** The Debian packages where they are, else made texts of three classes. */
function dataIn(folder: string): { path: string; others: readonly string[] } {
  if (existsSync(FILE)) return { path: fileURLToPath(FILE), others: OTHERS };
  const path = join(folder, 'made.tsv.gz');
  const lines = descriptions(byMode({ smoke: 100, quick: 8000, full: 8000 })).map(
    (text, i) => `${'abc'[i % 3]}\t${text}`,
  );
  writeFileSync(path, gzipSync(['section\tdescription', ...lines, ''].join('\n')));
  return { path, others: [] };
}

function fromFile(python: string | undefined, why: string): Findings {
  return withTemporaryFolder((folder) => {
    const { path, others } = dataIn(folder);
    const command = [
      ...[join(HOME, 'dist/cli.js'), 'train', path, '--label', 'section', '--quiet', '-o', join(folder, 'model.json')],
      ...['--plain', '--average', '--order', 'shuffle', '--epochs', String(EPOCHS), '--strategy', 'one-vs-rest'],
      ...others.flatMap((column) => ['--ignore', column]),
    ];
    const importMs: number[] = [];
    const script = (): number => {
      const args = [join(HOME, 'bench/peers/textfile.py'), path, String(EPOCHS), join(folder, 'model.joblib')];
      const { ms, stdout } = runProcess(python as string, args);
      importMs.push((JSON.parse(stdout) as { importMs: number }).importMs);
      return ms;
    };
    const ours = { name: 'ours', measure: () => runProcess(process.execPath, command).ms };
    const peer = { name: 'scikit-learn', measure: script };
    const timings = contestInRounds(python === undefined ? [ours] : [ours, peer], ROUNDS);
    const [mine, theirs] = timings as [Timing, Timing | undefined];
    const what = 'from a .tsv.gz of texts to a saved averaged model: a process';
    const answers: Answer[] = theirs
      ? [{ what, ...ratioOf(theirs, mine), against: 'scikit-learn', ...whenFull({ target: { atLeast: 2 } }) }]
      : [];
    const without = theirs
      ? `${Math.round(theirs.ms)} ms with scikit-learn, of it ${Math.round(median(importMs))} ms of processor time for Python's imports`
      : `without scikit-learn: ${why}`;
    return { answers, timings, notes: [`ours: ${Math.round(mine.ms)} ms; ${without}`] };
  });
}

await tellLater('How long does it take from a file of texts to a saved model? (whole processes)', async () => {
  const native = await openNative();
  if ('missing' in native) return fromFile(undefined, native.missing);
  const { python } = native;
  await native.close();
  return fromFile(python, '');
});
