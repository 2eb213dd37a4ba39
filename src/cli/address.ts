// The address of the cluster's Redis: as it was typed, or from the environment, where no list of processes shows its password.

import { UsageError } from './errors.js';

const VARIABLE = 'PERCEPTRON_REDIS';

/** @throws UsageError if there is none */
export function addressOf(given: string, flag: string): string {
  if (given !== 'env') return given;
  const found = process.env[VARIABLE];
  if (found) return found;
  throw new UsageError(
    `${flag} needs the address of Redis, such as redis://host:6379, here or in the variable ${VARIABLE}`,
  );
}
