// npm runs it before it packs, with `put`, and after, with `restore`: README.md of the package has absolute addresses of pictures.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { withAbsolutePictures } from './release/readme.js';

const kept = 'build/README.md';
const { repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));
if (process.argv[2] === 'restore') {
  if (existsSync(kept)) renameSync(kept, 'README.md');
} else if (repository?.url) {
  const readme = readFileSync('README.md', 'utf8');
  mkdirSync('build', { recursive: true });
  copyFileSync('README.md', kept);
  writeFileSync('README.md', withAbsolutePictures(readme, repository.url, version));
}
