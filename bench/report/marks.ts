// Text between two marks of a page that is otherwise written by hand.

/** The page with `text` between <!-- NAME:start --> and <!-- NAME:end -->, in place of what was there. */
export function between(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page needs the lines ${start} and ${end}, in this order`);
  return `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`;
}
