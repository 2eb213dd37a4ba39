// A Python with scikit-learn, for tests that ask it what it says now.

import { spawnSync } from 'node:child_process';

const FIND = 'import importlib.util as u, sys; sys.exit(not (u.find_spec("numpy") and u.find_spec("sklearn")))';

/** Debian's python3 comes first: a python3 of pyenv may hide its scikit-learn. Undefined: there is none. */
export const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', FIND]).status === 0);
