// The links of a folder of HTML files: which lead to no file, or to no element of a file.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attributes = (html: string, names: string): string[] =>
  [...html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, 'g'))].map(([, value]) => unescaped(value as string));

/** One sentence for each link within `folder` that leads nowhere. Addresses of other sites are not asked. */
export function brokenLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const known = new Map<string, Set<string>>();
  const idsOf = (path: string) => {
    const ids = known.get(path) ?? new Set(attributes(readFileSync(path, 'utf8'), 'id|name'));
    known.set(path, ids);
    return ids;
  };
  return pages.flatMap((page) => {
    const path = join(folder, page);
    return [...new Set(attributes(readFileSync(path, 'utf8'), 'href|src'))].flatMap((link) => {
      if (/^[a-z][a-z+.-]*:/i.test(link)) return [];
      const [file = ''] = link.split(/[?#]/, 1);
      let target = file === '' ? path : resolve(dirname(path), decodeURIComponent(file));
      if (file.endsWith('/')) target = join(target, 'index.html');
      if (file.startsWith('/') || relative(folder, target).startsWith('..'))
        return [`${page}: ${link} leaves the site`];
      if (!existsSync(target) || statSync(target).isDirectory()) return [`${page}: ${link} is not a file`];
      const anchor = decodeURIComponent(link.split('#', 2)[1] ?? '');
      // The playground keeps what it shows in the part after the #.
      if (anchor === '' || !target.endsWith('.html') || anchor.startsWith('/')) return [];
      return idsOf(target).has(anchor) ? [] : [`${page}: ${link}: nothing has the id "${anchor}"`];
    });
  });
}
