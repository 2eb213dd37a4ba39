// What a public export must say: a sentence each; functions and classes also an example, and what they throw (or that they throw
// nothing). A member of a class has a sentence,
// but for its constructor, of which the class speaks, and its name.

import { type Comment, type DeclarationReflection, type ProjectReflection, ReflectionKind } from 'typedoc';

const commentOf = (one: DeclarationReflection): Comment | undefined =>
  one.comment ?? one.signatures?.find(({ comment }) => comment)?.comment ?? one.getSignature?.comment;

const says = (comment: Comment | undefined, tag: '@example' | '@throws') =>
  comment?.blockTags.some(({ tag: own, content }) => own === tag && content.some(({ text }) => text.trim() !== ''));

const isSaid = (one: DeclarationReflection) => commentOf(one)?.summary.some(({ text }) => text.trim() !== '');

/** One sentence for each public export, or member of a class, that lacks something. */
export function undocumented(project: ProjectReflection): string[] {
  const missing: string[] = [];
  for (const entry of project.children ?? []) {
    if (!isSaid(entry)) missing.push(`${entry.name}: the entry has no sentence`);
    for (const one of entry.children ?? []) {
      const name = `${entry.name}: ${one.name}`;
      if (one.kindOf(ReflectionKind.Reference)) continue;
      if (!isSaid(one)) missing.push(`${name} has no sentence`);
      if (!one.kindOf([ReflectionKind.Class, ReflectionKind.Function])) continue;
      if (!says(commentOf(one), '@example')) missing.push(`${name} has no @example`);
      const members = one.children ?? [];
      const thrown = [one, ...members.filter(({ kind }) => kind === ReflectionKind.Constructor)];
      if (!thrown.some((each) => says(commentOf(each), '@throws'))) missing.push(`${name} has no @throws`);
      for (const member of members) {
        if (member.kind === ReflectionKind.Constructor || member.name === 'name' || member.inheritedFrom) continue;
        if (!isSaid(member)) missing.push(`${name}.${member.name} has no sentence`);
      }
    }
  }
  return missing;
}
