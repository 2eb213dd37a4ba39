// A consumer's code that states no label type: which one TypeScript infers. Compiled by test/package.long.test.ts against the packed
// package, and by `npm run typecheck`; never run.

import {
  type AnyModel,
  DualPerceptron,
  type Label,
  type Labels,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
} from 'perceptron-wasm';

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function typeOf<A>(value: A): { is<B>(...same: IsSame<A, B> extends true ? [] : [never]): void };

declare const X: Rows;
declare const x: number[];

// inline labels: their union
const model = new Perceptron().fit(X, ['yes', 'no']);
typeOf(model).is<Perceptron<'yes' | 'no'>>();
typeOf(model.predictOne(x)).is<'yes' | 'no'>();
typeOf(model.classes).is<readonly ('yes' | 'no')[]>();
typeOf(new Perceptron().fit(X, [1, -1])).is<Perceptron<1 | -1>>();
typeOf(new Perceptron({ average: true, onEpoch: ({ mistakes }) => mistakes > 3 }).fit(X, [true, false])).is<
  Perceptron<boolean>
>();

// a variable: its element type
declare const strings: string[];
declare const either: number[] | string[];
declare const labels: Labels;
typeOf(new Perceptron().fit(X, strings).predictOne(x)).is<string>();
typeOf(new Perceptron().fit(X, new Int8Array(2))).is<Perceptron<number>>();
typeOf(new Perceptron().fit(X, either)).is<Perceptron<number | string>>();
typeOf(new Perceptron().fit(X, labels)).is<Perceptron<Label>>();

// fits after it
typeOf(model.fit(X, ['no', 'yes']).fit(X, ['yes'])).is<Perceptron<'yes' | 'no'>>();
// @ts-expect-error: another label than before
model.fit(X, ['maybe', 'no']);
const again = new Perceptron();
again.fit(X, ['yes', 'no']);
again.fit(X, [1, 2]);
typeOf(again).is<Perceptron<Label>>();

// a type argument, and classes of the constructor
typeOf(new Perceptron<'a' | 'b'>().fit(X, ['a'])).is<Perceptron<'a' | 'b'>>();
typeOf(new Perceptron<string>().fit(X, ['a', 'b'])).is<Perceptron<string>>();
// @ts-expect-error: a label that is not of the trainer's type
new Perceptron<'a' | 'b'>().fit(X, ['a', 'c']);
const chosen = new Perceptron({ classes: ['a', 'b'] });
typeOf(chosen).is<Perceptron<'a' | 'b'>>();
typeOf(chosen.fit(X, ['a', 'a'])).is<Perceptron<'a' | 'b'>>();
typeOf(chosen.partialFit(X, ['a', 'a'])).is<Perceptron<'a' | 'b'>>();

// the other trainers
typeOf(new PocketPerceptron().fit(X, ['yes', 'no'])).is<PocketPerceptron<'yes' | 'no'>>();
typeOf(new DualPerceptron().fit(X, ['yes', 'no'], {}).alphas).is<Float64Array>();
typeOf(new DualPerceptron().fit(X, strings)).is<DualPerceptron<string>>();
typeOf(new MulticlassPerceptron().fit(X, ['a', 'b', 'c']).predict(X)).is<('a' | 'b' | 'c')[]>();
const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()).fit(X, ['yes', 'no']);
typeOf(pipeline).is<Pipeline<'yes' | 'no', Perceptron<'yes' | 'no'>>>();
typeOf(new Pipeline(new Scaler({ kind: 'centre' }), new DualPerceptron<string>()).fit(X, ['yes', 'no'])).is<
  Pipeline<string, DualPerceptron<string>>
>();

// fitAsync
export async function later(signal: AbortSignal): Promise<void> {
  typeOf(await new Perceptron().fitAsync(X, ['yes', 'no'], { signal })).is<Perceptron<'yes' | 'no'>>();
  typeOf(await new PocketPerceptron().fitAsync(X, strings)).is<PocketPerceptron<string>>();
  typeOf(await new DualPerceptron().fitAsync(X, strings, { onEpoch: ({ snapshot }) => snapshot().bias > 0 })).is<
    DualPerceptron<string>
  >();
  typeOf(
    await new MulticlassPerceptron().fitAsync(X, [1, 2, 3], {
      onEpoch: ({ snapshot }) => snapshot().biases.length > 0,
    }),
  ).is<MulticlassPerceptron<1 | 2 | 3>>();
  typeOf(await pipeline.fitAsync(X, ['no', 'yes'], { onEpoch: ({ snapshot }) => snapshot().bias > 0 })).is<
    typeof pipeline
  >();
}

// subclasses stay what they are, and may have a fit of their own
class OfNumbers extends Perceptron<number> {
  extra = 1;
}
class Named<L extends Label = Label> extends Perceptron<L> {
  #name = 'x';
  get title(): string {
    return this.#name;
  }
}
class Verbose<L extends Label = Label> extends Perceptron<L> {
  override fit(X: Rows, y: Labels<L>): this {
    super.fit(X, y);
    return this;
  }
}
typeOf(new OfNumbers().fit(X, [1, 2])).is<OfNumbers>();
typeOf(new Named().fit(X, [1, 2])).is<Named<Label>>();
typeOf(new Named<string>().fit(X, strings).title).is<string>();
typeOf(new Verbose<string>().fit(X, strings)).is<Verbose<string>>();

// models of inferred labels are models of any labels
const anyLabels: Perceptron = model;
const anyModels: AnyModel[] = [model, pipeline, new MulticlassPerceptron().fit(X, strings)];
// @ts-expect-error: but not of others
const numbers: Perceptron<number> = new Perceptron().fit(X, ['yes', 'no']);

// trainers of a kind that is not known
declare const any: AnyModel<number>;
any.fit(X, [1, 2]).fit(X, [2, 1]).predictOne(x);
export const anyLater: Promise<AnyModel<number>> = any.fitAsync(X, [1, 2], { onEpoch: ({ epoch }) => epoch < 9 });
export function trained<L extends Label>(trainer: PocketPerceptron<L>, y: Labels<L>): PocketPerceptron<L> {
  return trainer.fit(X, y);
}

export const all = [anyLabels, anyModels, numbers];
