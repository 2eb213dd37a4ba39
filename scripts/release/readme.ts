// The pictures of README.md in the published package: npm shows README.md away from its files, so they get absolute addresses.

/** `https://github.com/OWNER/NAME` of any form in which people write it. @throws RangeError for another host */
export function addressOf(repository: string): string {
  const [, path] =
    repository.match(/^(?:git\+)?(?:https:\/\/|git@|ssh:\/\/git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/) ??
    [];
  if (path === undefined)
    throw new RangeError(`the repository must be https://github.com/OWNER/NAME, got ${repository}`);
  return `https://github.com/${path}`;
}

const PICTURE = /(!\[[^\]]*\]\()((?!https?:)[^)\s]+)(\))/g;

/** The relative addresses of pictures. */
export const picturesOf = (readme: string): string[] =>
  [...readme.matchAll(PICTURE)].map(([, , path]) => path as string);

/** README.md with the pictures of a version's tag. */
export function withAbsolutePictures(readme: string, repository: string, version: string): string {
  const files = `${addressOf(repository).replace('github.com', 'raw.githubusercontent.com')}/v${version}`;
  return readme.replace(PICTURE, (_, before, path, after) => `${before}${files}/${path}${after}`);
}
