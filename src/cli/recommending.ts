// The settings of train: what was asked for, and else what usually works (docs/select.md). --plain: the textbook's.

import { RECOMMENDED_EPOCHS, SPARSE_INTERCEPT } from '../select/index.js';
import type { Data } from './data.js';
import { isSparse } from './rows.js';
import type { TrainerName, TrainValues } from './trainers.js';

export interface Settled {
  readonly values: TrainValues;
  /** The recommended settings in the words of the command line; undefined if none is used. */
  readonly said: string | undefined;
}

/** Fills in what was not asked for. */
export function settle(asked: TrainValues, name: TrainerName, data: Pick<Data, 'X' | 'raw'>): Settled {
  const { scale, 'no-average': noAverage, ...values } = asked;
  const scaled = scale === undefined || scale === 'none' ? {} : { scale };
  if (values.plain) return { values: { ...values, ...scaled }, said: undefined };
  const isPocket = name === 'pocket';
  const added = {
    ...(values.order === undefined && !isPocket && { order: 'shuffle' as const }),
    ...(!values.average && !noAverage && !isPocket && { average: true }),
    ...(scale === undefined && !data.raw && !isSparse(data.X) && { scale: 'standardize' as const }),
    ...(wantsShortIntercept(asked, data) && { 'intercept-scaling': SPARSE_INTERCEPT }),
    ...(wantsMultinomial(asked, name) && { strategy: 'multinomial' as const }),
    ...(values.epochs === undefined && { epochs: RECOMMENDED_EPOCHS }),
  };
  const words = Object.entries(added).map(([option, value]) =>
    value === true ? `--${option}` : `--${option} ${value}`,
  );
  return { values: { ...values, ...scaled, ...added }, said: words.length > 0 ? words.join(' ') : undefined };
}

/** Rows that are mostly zeros are short, and a constant feature of 1 would drown them; a scaler gives its own. */
const wantsShortIntercept = (values: TrainValues, { X }: Pick<Data, 'X'>): boolean =>
  isSparse(X) && values['intercept-scaling'] === undefined && !values['no-intercept'] && values.scale !== 'unit-ball';

/** With a kernel the classes are trained one by one, which needs no Gram matrix of all rows. */
const wantsMultinomial = ({ strategy, kernel, update }: TrainValues, name: TrainerName): boolean =>
  name === 'multiclass' && strategy === undefined && kernel === undefined && (update ?? 'perceptron') === 'perceptron';

/** Whether some rows are held out to judge the model by. */
export function holdsOut({ holdout, plain, test, folds }: TrainValues): boolean {
  if (holdout !== undefined) return holdout > 0;
  return !plain && test === undefined && folds === undefined;
}
