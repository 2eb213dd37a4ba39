// Properties of the caller's objects. What is on Object.prototype does not count: another library may have put it there.

/** A copy of the own properties; it inherits nothing. */
export const own = <T extends object>(value: T): T => Object.assign(Object.create(null), value);

/** Whether an object or its class has a property. The last object of a chain of prototypes is Object.prototype of some realm. */
export function has<K extends PropertyKey>(value: object, key: K): value is object & Record<K, unknown> {
  for (let at = value; key in at; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, key)) return at === value || Object.getPrototypeOf(at) !== null;
  }
  return false;
}

/** The property of an object or its class; undefined if they have none. */
export const get = <T extends object, K extends keyof T>(value: T, key: K): T[K] | undefined =>
  has(value, key) ? value[key] : undefined;
