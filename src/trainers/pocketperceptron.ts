// PocketPerceptron: the best weights on the way, for data that no plane separates (Gallant 1990; SPEC §5, §6).

import type { Label } from '../data/labels.js';
import { type OptionsJSON, openModel, optionsFrom, optionsJSON } from '../model/json.js';
import { linearToJSON, type PerceptronJSON } from '../model/linear-json.js';
import type { PocketPerceptronOptions } from '../train/options.js';
import { type PrimalSettings, resolvePocket } from '../train/settings.js';
import { Perceptron, primalOptionsOf } from './perceptron.js';

/**
 * The perceptron with a pocket: it keeps the weights that made the fewest mistakes on all training rows, and predicts with
 * those. `report.pocket` tells how many they make, how many the last ones make, and when the pocket was last replaced.
 *
 * @example
 * const xor = new PocketPerceptron({ maxEpochs: 20 }).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1]);
 * console.log(xor.report.pocket?.errors); // → 1
 */
export class PocketPerceptron<L extends Label = Label> extends Perceptron<L> {
  /** Kept through minification: consoles and messages show it. */
  static override readonly name: string = 'PocketPerceptron';

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: PocketPerceptronOptions<L> = {}) {
    super(options);
  }

  /** @internal */
  protected override resolve(options: PocketPerceptronOptions<L>): PrimalSettings<L> {
    return resolvePocket(options);
  }

  /** The whole model as plain data, exact to the bit; training can go on from it. */
  override toJSON(): PerceptronJSON {
    return linearToJSON('pocket-perceptron', this.fitted('toJSON'), saved(this.settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the field that is wrong */
  static override fromJSON<L extends Label = Label>(json: unknown): PocketPerceptron<L> {
    const fields = openModel(json, ['pocket-perceptron']);
    const model = new PocketPerceptron<L>(primalOptionsOf<L>(optionsFrom(fields)));
    model.loadLinear(fields);
    return model;
  }

  /** @internal */
  protected override another(): PocketPerceptron<L> {
    return new PocketPerceptron<L>({ ...primalOptionsOf<L>(saved(this.settings)), engine: this.settings.engine });
  }
}

/** Options as they are saved: that there is a pocket goes without saying. */
function saved<L extends Label>(settings: PrimalSettings<L>): OptionsJSON {
  const { pocket: _, ...options } = optionsJSON(settings);
  return options;
}
