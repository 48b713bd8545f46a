import type { ErrorRows } from '../../../base/errors.ts';
import { escapeHtml } from '../../../base/page.ts';
import { codeSpans } from '../html.ts';
import type { ReferenceContent } from './layout.ts';
import type { OperationModel } from './model.ts';
import type { CommonCodes } from './refusals.ts';

/** More operations than this are not listed. */
const namedMax = 12;

/** Every code with its message, what to do, and the operations that it concerns. */
export function errorsPage(
  errors: ErrorRows,
  operations: readonly OperationModel[],
  common: CommonCodes,
): ReferenceContent {
  const usual = new Set([...common.reads, ...common.changes]);
  const sections = Object.entries(errors).map(([code, { status, type, message, help }]) => {
    const of = usual.has(code) ? [] : operations.filter(({ refusals }) => refusals.get(status)?.includes(code));
    return `<h2 id="${code}">${code}</h2><p class="meta">${status} · ${type}</p><p>${escapeHtml(message)}</p><p>${codeSpans(help)}</p>${operationLinks(of)}`;
  });
  const lead = `<p class="lead">Every error has a <code>code</code> for programs and a <code>message</code> for people, and names the
parameter at fault if there is one. The <code>Link</code> header of a refused request leads here. Words in braces are placeholders.</p>`;
  return { title: 'Errors', content: `${lead}\n${codesByStatus(errors)}\n${sections.join('\n')}`, sections: [] };
}

function codesByStatus(errors: ErrorRows): string {
  const grouped = Map.groupBy(Object.keys(errors), (code) => errors[code]!.status);
  const rows = [...grouped]
    .sort(([one], [other]) => one - other)
    .map(
      ([status, codes]) =>
        `<li><b>${status}</b> ${codes.map((code) => `<a href="#${code}"><code>${code}</code></a>`).join(' ')}</li>`,
    );
  return `<ul class="codes">\n${rows.join('\n')}\n</ul>`;
}

function operationLinks(operations: readonly OperationModel[]): string {
  if (operations.length === 0 || operations.length > namedMax) return '';
  const links = operations.map(({ tag, id }) => `<a href="/docs/${tag}#${id}"><code>${id}</code></a>`);
  return `<p class="meta">Of ${links.join(', ')}.</p>`;
}
