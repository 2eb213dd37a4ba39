import type { Part } from '../part.js';
import { h } from '../ui/dom.js';

export const part: Part = {
  show(root) {
    root.append(h('h1', {}, 'learn'));
    return { update() {}, close() {} };
  },
};
