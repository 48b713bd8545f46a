import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../../base/page.ts';

/** Where the links of a text lead, as far as it is not the text that decides. */
export type Links = {
  /** The address for a link of the text; undefined: it leads to nothing that is served here, and its words are shown alone. */
  follow(href: string): string | undefined;
  /** The section of an operation that is written as `POST /v1/payments`. */
  operation(request: string): string | undefined;
  /** An example as HTML; undefined: the block is shown as it is. Asked for every block of a page, in their order. */
  example?(code: string, language: string): string | undefined;
  /** The address of an image of the text; undefined: it is not served here, and its words stand in for it. */
  image(href: string): string | undefined;
};

const request = /^(GET|POST|DELETE) \/v1\/[\w/{}]+$/;

/** Markdown as HTML. Headings get the ids that GitHub gives them, so that the same links work in both places. */
export function markdown(links: Links): { page(text: string): string; line(text: string): string } {
  let slugs = new Slugs();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ tokens, depth, text }) {
        const id = slugs.next(text);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text, lang = '' }) => links.example?.(text, lang) ?? codeBlock(text, lang),
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        const section = request.test(text) ? links.operation(text) : undefined;
        return section === undefined ? code : `<a href="${section}">${code}</a>`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = links.follow(href);
        return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
      },
      image({ href, text }) {
        const address = links.image(href);
        return address === undefined
          ? escapeHtml(text)
          : `<img src="${address}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      table(token) {
        return scrolling(tableOf(token, (cell) => this.parser.parseInline(cell.tokens)));
      },
    },
  });
  return {
    page(text) {
      slugs = new Slugs();
      return marked.parse(text, { async: false });
    },
    line: (text) => marked.parseInline(text, { async: false }),
  };
}

/** A block of code. It scrolls sideways, so the keyboard must reach it. */
export function codeBlock(code: string, language: string, label = labels[language] ?? 'Example'): string {
  return `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption>
<pre tabindex="0"><code>${escapeHtml(code.trimEnd())}</code></pre></figure>\n`;
}

const labels: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  text: 'Text',
  sql: 'SQL',
  ini: 'Settings',
  dockerfile: 'Dockerfile',
};

function tableOf({ header, rows }: Tokens.Table, cellText: (cell: Tokens.TableCell) => string): string {
  const head = header.map((cell) => `<th scope="col">${cellText(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cellText(cell)}</td>`).join('')}</tr>`).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

/** A wide table scrolls in its own box, never the page. */
export function scrolling(table: string): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
}

/** The ids of headings by the rules of GitHub. */
export class Slugs {
  readonly #used = new Map<string, number>();

  next(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const times = this.#used.get(slug) ?? 0;
    this.#used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}
