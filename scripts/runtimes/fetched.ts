// Runtimes that come from the npm registry when they are first wanted, into build/runtimes: they are no dependencies of ours. Those of
// other machines run under qemu, which comes from Debian's archive together with the libraries that they need.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../build/runtimes');

/** A package of the registry with a program in it; undefined where it is not there and `mayFetch` is false. */
export function programOf(spec: string, file: string, mayFetch: boolean): string | undefined {
  const home = join(folder, spec.replaceAll(/[^\w.-]/g, '_'));
  const program = join(home, 'package', file);
  if (existsSync(program)) return program;
  if (!mayFetch) return undefined;
  mkdirSync(home, { recursive: true });
  execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', home], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) as string;
  execFileSync('tar', ['-xzf', tarball], { cwd: home });
  return program;
}

const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'];

/** Debian packages of an architecture, unpacked into a folder, without any change to this system. */
function debian(architecture: string, packages: readonly string[], root: string): void {
  const state = join(folder, `apt-${architecture}`);
  for (const sub of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, sub), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  const own = Object.entries({
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'Dir::State': state,
    'Dir::State::Lists': join(state, 'lists'),
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': join(state, 'cache'),
    'APT::Sandbox::User': 'root',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: string[]) =>
    execFileSync('apt-get', [...own, '-qq', ...args], { cwd: state, stdio: 'inherit' });
  apt('update');
  apt('download', ...packages);
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(state).filter((file) => file.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', join(state, name), root]);
  }
}

/** The command that starts Node of another architecture here: qemu, its libraries, the program. */
export function emulated(architecture: string, qemu: string, node: string, mayFetch: boolean): string[] | undefined {
  const program = programOf(node, 'bin/node', mayFetch);
  const [emulator, root] = [join(folder, 'qemu'), join(folder, `root-${architecture}`)];
  const isThere = existsSync(join(emulator, 'usr/bin')) && existsSync(join(root, 'lib'));
  if (!program || (!isThere && !mayFetch)) return undefined;
  const host = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  if (!existsSync(join(emulator, 'usr/bin'))) debian(host, ['qemu-user-static'], emulator);
  if (!existsSync(join(root, 'lib'))) debian(architecture, LIBRARIES, root);
  return [join(emulator, 'usr/bin', qemu), '-L', root, program];
}
