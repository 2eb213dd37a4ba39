// From a LIBSVM file to a saved model: the command line, LIBLINEAR's own program, and a script with scikit-learn, whole
// processes in turns. Ours and scikit-learn's make ten epochs in cyclic order; LIBLINEAR trains a linear SVM.

import { join } from 'node:path';
import { writeLibsvm } from '../data/text.js';
import { byMode, tellLater, whenFull } from '../harness/question.js';
import { withFolderLater } from '../harness/temporary.js';
import { shapeText } from '../harness/words.js';
import { liblinearProgram } from '../peers/liblinear.js';
import { openNative } from '../peers/native.js';
import { HOME, runProcess } from '../peers/processes.js';
import { OURS } from '../peers/tasks.js';
import { type Player, play } from '../peers/turns.js';

const EPOCHS = 10;
const BYTES = byMode({ smoke: 1e5, quick: 1e7, full: 500e6 });
const COLS = 50_000;
/** A round of the full form takes some 20 seconds. */
const ROUNDS = byMode({ smoke: 1, quick: 5, full: 3 });

const inProcess =
  (program: string, args: readonly string[]): Player['measure'] =>
  (calls) =>
    Array.from({ length: calls }, () => runProcess(program, args).ms);

await tellLater('How long does it take from a LIBSVM file to a saved model? (whole processes)', () =>
  withFolderLater(async (folder) => {
    const path = join(folder, 'rows.svm');
    const { rows, bytes } = writeLibsvm(path, {
      ...{ seed: 21, bytes: BYTES, cols: COLS, density: 0.0015, digits: 'short' },
      contradictEvery: 20, // so nobody may stop before the last epoch
    });
    const players: Player[] = [
      {
        name: OURS,
        kind: 'ours',
        measure: inProcess(process.execPath, [
          ...[join(HOME, 'dist/cli.js'), 'train', path, '--plain', '--epochs', String(EPOCHS)],
          ...['--quiet', '-o', join(folder, 'model.json')],
        ]),
        note: 'train --plain: read, trained, judged on its rows, and saved as JSON',
      },
    ];
    const skipped: { name: string; why: string }[] = [];

    const liblinear = liblinearProgram();
    if ('missing' in liblinear) skipped.push({ name: 'LIBLINEAR', why: liblinear.missing });
    else {
      players.push({
        name: 'LIBLINEAR',
        kind: 'native',
        otherAlgorithm: true,
        measure: inProcess(liblinear.train, ['-q', '-s', '2', path, join(folder, 'liblinear-model')]),
        against: 'LIBLINEAR (another algorithm)',
        ...whenFull({ target: { atLeast: 2 } }),
        note: 'liblinear-train -s 2: a linear SVM until its own tolerance',
      });
    }

    const native = await openNative();
    if ('missing' in native) skipped.push({ name: 'scikit-learn', why: native.missing });
    else {
      const { python, sklearn } = native;
      await native.close();
      if (typeof sklearn !== 'string') skipped.push({ name: 'scikit-learn', why: sklearn.missing });
      else {
        const args = [join(HOME, 'bench/peers/libsvmfile.py'), path, String(EPOCHS), join(folder, 'model.joblib')];
        players.push({
          name: `scikit-learn ${sklearn}`,
          kind: 'native',
          measure: (calls) =>
            Array.from({ length: calls }, () => {
              const { ms, stdout } = runProcess(python, args);
              if (Number(stdout) !== rows) throw new Error(`scikit-learn read ${stdout.trim()} rows of ${rows}`);
              return ms;
            }),
          against: 'scikit-learn',
          ...whenFull({ target: { atLeast: 4 } }),
          note: 'load_svmlight_file, Perceptron, joblib; its imports included',
        });
      }
    }

    const what = `from a LIBSVM file of ${Math.round(bytes / 1e6)} MB to a saved model: a process`;
    const played = await play({ what, rule: `${EPOCHS} epochs`, players, skipped }, { rounds: ROUNDS });
    return { tasks: [played.task], answers: played.answers, notes: [`${shapeText(rows, COLS)}, ${bytes} bytes`] };
  }),
);
