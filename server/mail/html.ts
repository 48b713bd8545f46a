import { lookColor, type Scheme } from '../base/look/colors.ts';
import { isolated, oneSentence } from '../base/one_line.ts';
import { escapeHtml } from '../base/page.ts';
import { linkAddress, logoAddress } from './address.ts';
import type { AmountLine, AmountSum, MailBlock, MailFrame, MailMessage } from './message.ts';

/*
 * HTML as programs for mail show it: tables, because Outlook knows no other layout; every style at its element, because some drop the
 * head; and in the head only what no element can have, dark colours and narrow screens. Nothing is loaded from anywhere.
 */

/** The colours of the page that customers pay on. Each has a class, by which it changes in the dark. */
const roles = {
  ground: ['background-color', 'ground'],
  card: ['background-color', 'surface'],
  text: ['color', 'text'],
  head: ['color', 'heading'],
  quiet: ['color', 'quiet'],
  edge: ['border-color', 'line'],
  hair: ['border-color', 'hairline'],
  test: ['background-color', 'waiting-soft'],
  ontest: ['color', 'waiting'],
} as const;
type ColorRole = keyof typeof roles;

const colorOf = (role: ColorRole, scheme: Scheme = 'light') => lookColor(roles[role][1], scheme);
const darkRules = Object.entries(roles).map(
  ([role, [property]]) => `.${role}{${property}:${colorOf(role as ColorRole, 'dark')}!important}`,
);

const fonts = "-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";

const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
@media (max-width:480px){
.outer{padding:16px 8px 24px!important}
.inner{padding:24px 20px!important}
.press{width:100%!important}
.press a{display:block!important}
}
@media (prefers-color-scheme:dark){${darkRules.join('')}}`;

export function htmlOf(message: MailMessage, frame: MailFrame): string {
  return new MailDocument(frame).of(message);
}

type RowLook = {
  role: ColorRole;
  isStrong?: boolean;
  edge: ColorRole | undefined;
  padding: number;
  name: string;
  value: string;
};

class MailDocument {
  readonly #frame: MailFrame;
  readonly #start: 'left' | 'right';
  readonly #end: 'left' | 'right';

  constructor(frame: MailFrame) {
    this.#frame = frame;
    [this.#start, this.#end] = frame.direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  }

  of({ subject, preheader, blocks }: MailMessage): string {
    const { language, direction } = this.#frame;
    const title = sentence(subject);
    const languages = `lang="${escapeHtml(language)}" dir="${direction}"`;
    const inner = blocks.map((block, at) => this.#block(block, at === 0)).join('\n');
    // Pages for reading mail take only what is in the body: the language is said there again.
    return `<!doctype html>
<html ${languages}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no"><title>${title}</title>
<style>${style}</style></head>
<body class="ground" style="margin:0;padding:0;background-color:${colorOf('ground')}">${preheaderOf(preheader)}
<div role="article" aria-roledescription="email" aria-label="${title}" ${languages}>
${layout(`width:100%;background-color:${colorOf('ground')}`, 'ground')}<tr><td class="outer" align="center" style="padding:32px 16px 40px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
${layout('width:100%;max-width:560px')}
${this.#top()}
<tr><td class="card edge inner" style="padding:32px;background-color:${colorOf('card')};border:1px solid ${colorOf('edge')};border-radius:12px;text-align:${this.#start}">
${inner}
</td></tr>
${this.#foot()}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div></body></html>
`;
  }

  #top(): string {
    const { sender, logo, notice } = this.#frame;
    const name = `<span class="head" style="${this.#font(16, 'head', 600)};${breaks}">${this.#value(sender)}</span>`;
    const picture = logo === undefined ? '' : `<td style="padding-${this.#end}:10px">${logoOf(logo)}</td>`;
    const test =
      notice === undefined
        ? ''
        : `<tr><td style="padding:0 4px 16px"><span class="test ontest" style="${this.#font(13, 'ontest', 500)};display:inline-block;padding:2px 10px;border-radius:99px;background-color:${colorOf('test')}">${sentence(notice)}</span></td></tr>\n`;
    return `${test}<tr><td style="padding:0 4px 16px;text-align:${this.#start}">${layout('')}<tr>${picture}<td>${name}</td></tr></table></td></tr>`;
  }

  #block(block: MailBlock, isFirst: boolean): string {
    const above = (space: number) => (isFirst ? 0 : space);
    switch (block.kind) {
      case 'amount':
        return `<p class="head" style="margin:${above(16)}px 0 0;${this.#font(36, 'head', 600, 1.2)};${breaks};letter-spacing:-0.02em">${this.#value(block.amount)}</p>`;
      case 'heading':
        return `<h1 class="head" style="margin:${above(8)}px 0 0;${this.#font(20, 'head', 600, 1.35)};text-wrap:balance;${breaks}">${sentence(block.text)}</h1>`;
      case 'paragraph':
        return `<p class="text" style="margin:${above(12)}px 0 0;${this.#font(16, 'text')};text-wrap:pretty;${breaks}">${sentence(block.text)}</p>`;
      case 'note':
        return `<p class="quiet" style="margin:${above(20)}px 0 0;${this.#font(14, 'quiet')};${breaks}">${sentence(block.text)}</p>`;
      case 'amounts':
        return this.#amounts(block);
      case 'details':
        return this.#details(block.rows);
      case 'button':
        return this.#button(block);
      default:
        return block satisfies never;
    }
  }

  #amounts({ label, lines, sums }: Extract<MailBlock, { kind: 'amounts' }>): string {
    const rows = [...lines.map((line) => this.#line(line)), ...sums.map((sum, at) => this.#sum(sum, at === 0))];
    // It has no role: a screen reader says which amount belongs to which name.
    return `<table aria-label="${sentence(label)}" ${tableOf('width:100%;margin-top:24px')}>${rows.join('\n')}</table>`;
  }

  #line({ name, note, amount }: AmountLine): string {
    const quiet = `font-size:14px;color:${colorOf('quiet')}`;
    const small = note === undefined ? '' : `<br><span class="quiet" style="${quiet}">${this.#value(note)}</span>`;
    const look = { role: 'text', edge: 'hair', padding: 10, name: breaks, value: 'white-space:nowrap' } as const;
    return this.#row(`${this.#value(name)}${small}`, this.#value(amount), look);
  }

  #sum({ label, amount, isStrong = false }: AmountSum, isFirst: boolean): string {
    const edge = isFirst ? 'edge' : undefined;
    const role = isStrong ? 'head' : 'quiet';
    const value = 'white-space:nowrap';
    return this.#row(this.#value(label), this.#value(amount), {
      role,
      isStrong,
      edge,
      name: breaks,
      padding: isFirst ? 10 : 5,
      value,
    });
  }

  #details(rows: readonly { label: string; value: string }[]): string {
    const cells = rows.map(({ label, value }, at) => {
      const name = `<span class="quiet" style="color:${colorOf('quiet')}">${sentence(label)}</span>`;
      const edge = at === 0 ? undefined : 'hair';
      return this.#row(name, this.#value(value), {
        role: 'text',
        edge,
        padding: 10,
        name: 'word-break:keep-all',
        value: breaks,
      });
    });
    return `<table ${tableOf('width:100%;margin-top:20px')}>${cells.join('\n')}</table>`;
  }

  /** A name with its value at the end of the line. */
  #row(name: string, value: string, look: RowLook): string {
    const { role, isStrong = false, edge, padding } = look;
    const border = edge === undefined ? '' : `;border-top:1px solid ${colorOf(edge)}`;
    const names = edge === undefined ? role : `${role} ${edge}`;
    const below = edge === 'edge' || role !== 'text' ? Math.min(padding, 5) : padding;
    const cell = (of: string) =>
      `class="${names}" style="padding:${padding}px 0 ${below}px;vertical-align:top;${this.#font(15, role, isStrong ? 600 : 400)}${border};${of}"`;
    const end = `text-align:${this.#end};padding-${this.#start}:16px;${look.value}`;
    return `<tr><th scope="row" ${cell(`text-align:${this.#start};${look.name}`)}>${name}</th><td ${cell(end)}>${value}</td></tr>`;
  }

  #button({ text, url }: Extract<MailBlock, { kind: 'button' }>): string {
    const { background, text: color } = colorsOf(this.#frame);
    const link = `href="${escapeHtml(linkAddress(url))}" style="display:inline-block;padding:13px 28px;${this.#font(16, undefined, 600)};color:${color};text-decoration:none;border-radius:8px;${breaks}"`;
    return `${layout('margin-top:28px', 'press')}<tr><td align="center" bgcolor="${background}" style="border-radius:8px;background-color:${background};text-align:center"><a ${link}>${sentence(text)}</a></td></tr></table>`;
  }

  #foot(): string {
    const { links, supportEmail, supportAddress } = this.#frame;
    const link = (href: string, text: string) =>
      `<a class="quiet" href="${escapeHtml(href)}" style="color:${colorOf('quiet')};text-decoration:underline">${text}</a>`;
    const all = [
      ...(supportEmail === undefined ? [] : [link(`mailto:${encodeURI(supportEmail)}`, this.#value(supportEmail))]),
      ...links.map(({ text, url }) => link(linkAddress(url), sentence(text))),
    ];
    const place = supportAddress?.split('\n').map((line) => this.#value(line));
    const lines = [...(all.length === 0 ? [] : [all.join(' &nbsp;·&nbsp; ')]), ...(place ?? [])];
    if (lines.length === 0) return '';
    return `<tr><td class="quiet" style="padding:20px 4px 0;text-align:${this.#start};${this.#font(13, 'quiet', 400, 1.7)};${breaks}">${lines.join('<br>')}</td></tr>`;
  }

  #value(text: string): string {
    return escapeHtml(isolated(text, this.#frame.direction));
  }

  #font(size: number, role?: ColorRole, weight = 400, height = 1.5): string {
    const color = role === undefined ? '' : `;color:${colorOf(role)}`;
    return `font-family:${fonts};font-size:${size}px;line-height:${height};font-weight:${weight}${color}`;
  }
}

/** A word that is longer than a line is divided. Outlook knows the first one only. */
const breaks = 'word-break:break-word;overflow-wrap:anywhere';

const sentence = (text: string) => escapeHtml(oneSentence(text));

const ownColors = { background: lookColor('accent', 'light'), text: lookColor('on-accent', 'light') };

/** Styles are no place for anything else. */
function colorsOf({ colors = ownColors }: MailFrame): typeof ownColors {
  return [colors.background, colors.text].every((color) => /^#[0-9a-f]{6}$/i.test(color)) ? colors : ownColors;
}

const tableOf = (css: string) => `cellpadding="0" cellspacing="0" border="0"${css === '' ? '' : ` style="${css}"`}`;

/** A table that is nothing to a screen reader. */
function layout(css: string, name = ''): string {
  return `<table role="presentation"${name === '' ? '' : ` class="${name}"`} ${tableOf(css)}>`;
}

const logoHeight = 32;

/** On white, also in the dark: most logos are drawn for it. */
function logoOf({ src, width, height }: NonNullable<MailFrame['logo']>): string {
  const shown = Math.min(160, Math.max(1, Math.round((width / height) * logoHeight)));
  return `<img src="${escapeHtml(logoAddress(src))}" alt="" width="${shown}" height="${Math.round((shown / width) * height)}" style="display:block;border:0;border-radius:4px;background-color:#ffffff">`;
}

/** Fills the place in the list of mails, so that the beginning of the text does not follow there. */
const filling = '&#847;&zwnj;&nbsp;'.repeat(60);

function preheaderOf(text: string | undefined): string {
  if (text === undefined) return '';
  return `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${sentence(text)}${filling}</div>`;
}
