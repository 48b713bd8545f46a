import type { Keyring } from '../../../base/keyring.ts';
import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import { hostedPages } from '../../billing/invoices/hosted_pages.ts';
import type { BrandingServices } from '../../people/branding/shown.ts';
import { guards, redirect } from '../checkout_page/document.ts';
import { FormGuard } from '../checkout_page/guard.ts';
import { renderMissing, renderRefusal } from '../checkout_page/render.ts';
import type { InvoiceCalls, InvoiceDocument, InvoiceView } from './calls.ts';
import { renderInvoice } from './render.ts';

/** The form has nothing but its token. */
const bodyBytesMax = 1_024;

type InvoicePageParts = {
  keyring: Keyring;
  publicUrl: () => string;
  brandingOf: BrandingServices['brandingOf'];
  calls: InvoiceCalls;
};

/** The page of an invoice, whose address mails have. A visit writes nothing; the press of the button leads to the page of a checkout session. */
export function invoicePage({ keyring, publicUrl, brandingOf, calls }: InvoicePageParts): Page {
  const guard = new FormGuard(keyring, publicUrl);

  const show = async (request: PageRequest, view: InvoiceView, hasFailed = false): Promise<Rendered> => {
    const token = tokenOf(request);
    const { formToken, headers } = guard.issue(token, request.headers);
    const merchant = await brandingOf(view.invoice.tenant);
    const acceptLanguage = request.headers['accept-language'];
    const address = `${hostedPages.path}${token}`;
    return renderInvoice(view, { merchant, acceptLanguage, address, formToken, headers, hasFailed });
  };

  const press = async (request: PageRequest, view: InvoiceView): Promise<Rendered> => {
    const token = tokenOf(request);
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (!guard.admits(token, form.get('form_token') ?? '', request.headers))
      return { ...(await show(request, view, true)), status: 403 };
    if (view.suspended) return redirect(`${hostedPages.path}${token}`);
    // What cannot be paid now is shown as it is by now.
    return redirect((await calls.begin(view, request.address)) ?? `${hostedPages.path}${token}`);
  };

  return {
    path: `${hostedPages.path}:token`,
    methods: ['GET', 'HEAD', 'POST'],
    bodyBytesMax,
    counted: 'customer',
    async render(request) {
      const view = await calls.find(tokenOf(request));
      if (view === undefined) return renderMissing(request.headers['accept-language']);
      return request.method === 'POST' ? press(request, view) : show(request, view);
    },
    renderRefusal: refusal,
  };
}

/** The invoice, or the receipt of the payment that paid it, as PDF. */
export function documentPage(kind: InvoiceDocument, { calls }: Pick<InvoicePageParts, 'calls'>): Page {
  return {
    path: `${hostedPages.path}:token/${kind}.pdf`,
    counted: 'customer',
    async render(request) {
      const view = await calls.find(tokenOf(request));
      const file = view && (await calls.document(view, kind, request.address));
      if (file === undefined) return renderMissing(request.headers['accept-language']);
      const headers = {
        ...guards,
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Content-Disposition': `inline; filename="${file.name}"`,
      };
      return { status: 200, contentType: 'application/pdf', body: '', bytes: file.bytes, headers };
    },
    renderRefusal: refusal,
  };
}

const tokenOf = ({ params: { token = '' } }: PageRequest) => token;

const refusal: Page['renderRefusal'] & {} = ({ status, secondsLeft }, headers) =>
  renderRefusal(status, secondsLeft, headers['accept-language']);
