// How something grows: y = c · x^exponent, fitted on logarithms.

import { mean, student } from './measure.js';

interface PowerLaw {
  exponent: number;
  /** Half the width of the exponent's 95 % interval (Student's t, by how far the points are off the line). */
  margin: number;
}

/** By least squares; of three points or more, all above 0, not all at the same x. */
export function powerLaw(points: readonly { x: number; y: number }[]): PowerLaw {
  if (points.length < 3) throw new RangeError(`a power law takes three points or more, not ${points.length}`);
  const logs = points.map(({ x, y }) => {
    if (!(x > 0 && y > 0)) throw new RangeError(`a power law goes through no point at ${x}, ${y}`);
    return { x: Math.log(x), y: Math.log(y) };
  });
  const [mx, my] = [mean(logs.map(({ x }) => x)), mean(logs.map(({ y }) => y))];
  let [xx, xy] = [0, 0];
  for (const { x, y } of logs) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
  }
  if (xx === 0) throw new RangeError('a power law takes points at several x');
  const exponent = xy / xx;
  const off = logs.reduce((sum, { x, y }) => sum + (y - my - exponent * (x - mx)) ** 2, 0);
  const degrees = logs.length - 2;
  return { exponent, margin: student(degrees) * Math.sqrt(off / degrees / xx) };
}
