// Values as bytes, exact to the bit: options, results, weights. JSON for the structure, the arrays of numbers behind it as they are.
//
//   bytes 0–3   length J of the JSON, little-endian
//   4 … 4+J     JSON; what it cannot hold is { $: [kind, …] }
//   behind it   the arrays, in the order of their numbers, without gaps
//
// What comes from the queue is untrusted: it makes plain data, or an error.

import { kindOf, mustBe } from '../errors.js';

const ARRAYS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array } as const;
type Kind = keyof typeof ARRAYS;
type NumberArray = InstanceType<(typeof ARRAYS)[Kind]>;

/** Numbers that JSON has no words for. */
const NUMBERS: readonly (readonly [name: string, value: number])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
];

/** A value as JSON can hold it; its arrays of numbers go into `arrays`. @throws TypeError for functions and other things of no use elsewhere */
function flat(value: unknown, arrays: NumberArray[]): unknown {
  if (typeof value === 'number') {
    const name = NUMBERS.find(([, odd]) => Object.is(odd, value))?.[0];
    return name === undefined ? value : { $: ['number', name] };
  }
  if (value === undefined) return { $: ['undefined'] };
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') throw mustBe('what goes to a worker', 'plain data', value);
  if (Array.isArray(value)) return value.map((each) => flat(each, arrays));
  const kind = (Object.keys(ARRAYS) as Kind[]).find((name) => kindOf(value) === ARRAYS[name].name);
  if (kind) {
    arrays.push(value as NumberArray);
    return { $: [kind, (value as NumberArray).length] };
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    throw new TypeError(`a ${value.constructor?.name} cannot go to a worker: options must be plain data`);
  }
  const entries = Object.entries(value).map(([key, field]) => [key, flat(field, arrays)] as const);
  const object = Object.fromEntries(entries);
  return Object.hasOwn(object, '$') ? { $: ['object', object] } : object;
}

/** @throws TypeError for functions and other things that are no data */
export function pack(value: unknown): Buffer {
  const arrays: NumberArray[] = [];
  const json = Buffer.from(JSON.stringify(flat(value, arrays)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const parts = arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  return Buffer.concat([length, json, ...parts]);
}

/** The value in bytes of `pack`. @throws Error if they are none */
export function unpack(bytes: Uint8Array): unknown {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + (all.length < 4 ? Infinity : all.readUInt32LE(0));
  if (!(end <= all.length)) throw new Error(SPOILT);
  let at = end;
  const next = (kind: Kind, length: unknown): NumberArray => {
    const Kind = ARRAYS[kind];
    const size = Number.isSafeInteger(length) ? (length as number) * Kind.BYTES_PER_ELEMENT : Infinity;
    if (!(size >= 0 && at + size <= all.length)) throw new Error(SPOILT);
    // A copy: views must begin at a multiple of their size.
    const array = new Kind(Uint8Array.from(all.subarray(at, at + size)).buffer);
    at += size;
    return array;
  };
  return whole(JSON.parse(all.toString('utf8', 4, end)), next);
}

const SPOILT = 'this is not what a worker of this version sends: does something else use this Redis?';

function whole(value: unknown, next: (kind: Kind, length: unknown) => NumberArray): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => whole(each, next));
  const special = Object.hasOwn(value, '$') ? (value as { $: unknown }).$ : undefined;
  if (special === undefined) return object(value, next);
  const [kind, what] = Array.isArray(special) ? (special as unknown[]) : [];
  if (kind === 'undefined') return undefined;
  if (kind === 'number') return NUMBERS.find(([name]) => name === what)?.[1] ?? fail();
  if (kind === 'object' && typeof what === 'object' && what !== null) return object(what, next);
  return Object.hasOwn(ARRAYS, kind as string) ? next(kind as Kind, what) : fail();
}

const object = (value: object, next: (kind: Kind, length: unknown) => NumberArray) =>
  Object.fromEntries(Object.entries(value).map(([key, field]) => [key, whole(field, next)]));

function fail(): never {
  throw new Error(SPOILT);
}
