import { escapeHtml } from '../../../base/page.ts';
import type { ConnectorRegistration } from '../../../connectors/registration.ts';
import { ownScripts } from '../../../resources/selling/checkout_page/document.ts';
import type { ReferenceContent } from './layout.ts';
import { scrolling } from './text.ts';

/** The scripts of the page that customers pay on, as PCI DSS 6.4.3 asks for them. */
export function pciPage(connectors: readonly Pick<ConnectorRegistration, 'name' | 'fields'>[]): ReferenceContent {
  const own = ownScripts.map(({ name, hash, reason }) =>
    rowOf([name, 'this server, in the page itself', `<code class="hash">${hash}</code>`, escapeHtml(reason)]),
  );
  const others = connectors.flatMap(({ name, fields }) => (fields === undefined ? [] : hostsOf(name, fields)));
  const content = `<p class="lead">The page at <code>/pay/…</code> runs these scripts and no others. Each is authorized by its hash in the
<code>Content-Security-Policy</code> of the page, so that a browser refuses a script that was added or changed (PCI DSS 6.4.3).</p>
${tableOf(['script', 'origin', 'hash', 'reason'], own)}
<p>Where the processor account of a payment has card fields of its own, its script is loaded from the processor, which changes it without
notice: it has no fixed hash. The policy of that page names every host that it needs, and nothing else can be loaded:</p>
${tableOf(['processor', 'origin', 'what it may do', 'reason'], others)}
<p><code>tollgate doctor --for checkout</code> fetches the page at its public address and compares its scripts and its policy with those of
this version. Run it once a week at least, to notice what was changed on the way (PCI DSS 11.6.1). It exits with 1 if anything differs.</p>`;
  return { title: 'Scripts of the checkout page', content, sections: [] };
}

const uses = {
  script: 'a script',
  frame: 'a frame in the page',
  connect: 'requests of the script',
  image: 'images',
} as const;

function hostsOf(name: string, { script, hosts }: NonNullable<ConnectorRegistration['fields']>): string[] {
  return hosts.map(({ origin, use, reason }) => {
    const isScript = use === 'script' && new URL(script).origin === origin;
    return rowOf([name, `<code>${escapeHtml(isScript ? script : origin)}</code>`, uses[use], escapeHtml(reason)]);
  });
}

const rowOf = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

function tableOf(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join('');
  return scrolling(`<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`);
}
