// Writes Protocol Buffers: the part of the format that ONNX models need.

/** A field of a message, encoded. */
export type Field = Uint8Array;

/** An integer from 0 to 2⁵³ − 1: seven bits a byte, the lowest first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}

/** An integer field. */
export const integer = (field: number, value: number): Field =>
  Uint8Array.from([...varint(8 * field), ...varint(value)]);

/** A field of bytes. */
export const bytes = (field: number, value: Uint8Array): Field =>
  concat([Uint8Array.from([...varint(8 * field + 2), ...varint(value.length)]), value]);

/** A field of text. */
export const text = (field: number, value: string): Field => bytes(field, new TextEncoder().encode(value));

/** A field that is a message. */
export const message = (field: number, fields: readonly Field[]): Field => bytes(field, concat(fields));

/** Fields one after the other: a message. */
export function concat(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(fields.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const field of fields) {
    all.set(field, at);
    at += field.length;
  }
  return all;
}
