// The licences of bundled packages: what others wrote comes with their terms (dist/cli.licenses.txt, web/dist/licenses.txt).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names, versions and licence texts of the packages that bundled files are from. @throws Error if one has no licence */
export function licenseTexts(files: Iterable<string>): string {
  const folders = [...files].flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} is bundled and has no licence to go with it`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(78)}\n\n`);
}
