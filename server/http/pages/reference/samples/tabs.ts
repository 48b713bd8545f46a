import { escapeHtml } from '../../../../base/page.ts';
import { codeBlock } from '../text.ts';

export type SampleTab = { label: string; code: string; language: string };

/**
 * The same sample in several languages. Radio buttons choose one, so that it works with the keyboard and without a script; the script
 * remembers the choice, by its label, for all samples.
 */
export function tabs(id: string, samples: readonly SampleTab[]): string {
  const buttons = samples.map(({ label }, at) => {
    const own = `${id}-${at}`;
    return `<input type="radio" name="${id}" id="${own}" value="${escapeHtml(label)}"${at === 0 ? ' checked' : ''}><label for="${own}">${escapeHtml(label)}</label>`;
  });
  const panels = samples.map(({ label, code, language }) => `<div>${codeBlock(code, language, label)}</div>`);
  return `<div class="tabs" role="group" aria-label="Languages">${buttons.join('')}\n${panels.join('')}</div>\n`;
}
