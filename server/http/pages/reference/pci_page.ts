import { escapeHtml } from '../../../base/page.ts';
import { ownScripts } from '../../../resources/selling/checkout_page/document.ts';
import type { ReferenceContent } from './layout.ts';

/** The scripts of the page that customers pay on, as PCI DSS 6.4.3 asks for them. */
export function pciPage(): ReferenceContent {
  const rows = ownScripts.map(
    ({ name, hash, reason }) =>
      `<tr><td>${name}</td><td>this server, in the page itself</td><td><code>${hash}</code></td><td>${escapeHtml(reason)}</td></tr>`,
  );
  const content = `<p class="lead">The page at <code>/pay/…</code> runs these scripts and no others. Each is authorized by its hash in the
<code>Content-Security-Policy</code> of the page, so that a browser refuses a script that was added or changed (PCI DSS 6.4.3).</p>
<table><thead><tr><th>script</th><th>origin</th><th>hash</th><th>reason</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p>Where the processor account of a payment has card fields of its own, its script is loaded from the processor, which changes it without
notice: it has no fixed hash. The policy of that page names every host that it needs, as its connector lists them, and nothing else can be
loaded.</p>
<p><code>tollgate doctor --for checkout</code> fetches the page at its public address and compares its scripts and its policy with those of
this version. Run it once a week at least, to notice what was changed on the way (PCI DSS 11.6.1). It exits with 1 if anything differs.</p>`;
  return { title: 'Scripts of the checkout page', content, sections: [] };
}
