import { escapeHtml } from '../../base/page.ts';
import type { FakePage, FakeRequest } from '../server.ts';

/**
 * A small stand-in for Stripe.js, so that a browser without a connection to Stripe can walk the whole way: `Stripe(key)`, `elements`,
 * `create('payment')`, `mount`, `on`, `submit`, `createConfirmationToken`. As at Stripe, the card is typed into a frame of this server, and the
 * page around it gets a token alone, which serves a payment of the sum that the fields were told. Options that it does not know are refused.
 */
export function serveStandIn({ path, query }: FakeRequest): FakePage | undefined {
  if (isScript(path)) return { status: 200, html: script, type: 'text/javascript; charset=utf-8' };
  if (path !== framePath) return undefined;
  return { status: 200, html: frame(new URLSearchParams(query).get('key') ?? '') };
}

/** Stripe serves each release of its script below its name. */
export function isScript(path: string): boolean {
  return /^\/[a-z]+\/stripe\.js$/.test(path);
}

const framePath = '/_fake/elements';

const script = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  const wrong = (message) => Object.assign(new Error(message), { name: 'IntegrationError' });
  const only = (given, names, where) => {
    for (const name of Object.keys(given ?? {}))
      if (!names.includes(name)) throw wrong('This stand-in does not know ' + name + ' in ' + where + '.');
  };

  const schemeOf = ({ theme }) => (theme === 'night' ? 'dark' : 'light');

  const paymentElement = (key, appearance = {}) => {
    const frame = document.createElement('iframe');
    frame.title = 'Secure payment input frame';
    frame.src = origin + '${framePath}?' + new URLSearchParams({ key, appearance: JSON.stringify(appearance) });
    frame.style.cssText = 'display:block;border:0;width:100%;height:168px;color-scheme:' + schemeOf(appearance);
    const handlers = {};
    const waiting = new Map();
    let last = 0;
    addEventListener('message', ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return;
      if (data.event) for (const handler of handlers[data.event] ?? []) handler({ elementType: 'payment', ...data });
      waiting.get(data.id)?.(data.answer);
      waiting.delete(data.id);
    });
    return {
      ask: (verb, params) =>
        new Promise((resolve) => {
          last += 1;
          waiting.set(last, resolve);
          frame.contentWindow.postMessage({ id: last, verb, params }, origin);
        }),
      element: {
        mount(place) {
          const node = typeof place === 'string' ? document.querySelector(place) : place;
          if (!node) throw wrong('The element cannot be mounted: there is no such place.');
          node.replaceChildren(frame);
        },
        on(event, handler) {
          (handlers[event] ??= []).push(handler);
          return this;
        },
        unmount: () => frame.remove(),
        destroy: () => frame.remove(),
      },
    };
  };

  const kinds = ['payment', 'setup', 'subscription'];
  const options = ['mode', 'amount', 'currency', 'captureMethod', 'setupFutureUsage', 'paymentMethodTypes', 'locale',
    'appearance', 'loader', 'paymentMethodCreation'];

  window.Stripe = (key, settings) => {
    if (!/^pk_(test|live)_\\w+$/.test(key)) throw wrong('You should pass a publishable key to Stripe().');
    only(settings, ['apiVersion', 'locale'], 'Stripe()');
    return {
      elements(given) {
        only(given, options, 'elements()');
        if (!kinds.includes(given?.mode)) throw wrong('elements() takes a mode: ' + kinds.join(', ') + '.');
        const checkSum = ({ mode, amount, currency }, where) => {
          if (mode !== 'setup' && !(Number.isInteger(amount) && amount > 0 && currency))
            throw wrong(where + ' takes an amount in the smallest unit, and a currency.');
        };
        checkSum(given, 'elements()');
        const asked = { ...given };
        let made;
        let isSubmitted = false;
        return {
          asked,
          ask: (verb, params) => made.ask(verb, params),
          isSubmitted: () => isSubmitted,
          create(type) {
            if (type !== 'payment' || made) throw wrong('This stand-in has one element, of the type payment.');
            made = paymentElement(key, asked.appearance);
            return made.element;
          },
          getElement: (type) => (type === 'payment' && made ? made.element : null),
          update(change) {
            only(change, options, 'update()');
            checkSum({ ...asked, ...change }, 'update()');
            isSubmitted = false;
            Object.assign(asked, change);
          },
          async submit() {
            if (!made) throw wrong('submit() needs a mounted element.');
            const answer = await made.ask('submit');
            isSubmitted = !answer.error;
            return answer.error ? answer : { selectedPaymentMethod: 'card' };
          },
        };
      },
      async createConfirmationToken({ elements, params = {} }) {
        if (!elements?.isSubmitted()) throw wrong('elements.submit() must be called before createConfirmationToken().');
        only(params, ['payment_method_data', 'return_url'], 'params');
        only(params.payment_method_data, ['billing_details'], 'params.payment_method_data');
        const { mode, amount, currency, setupFutureUsage: setup_future_usage } = elements.asked;
        const shown = mode === 'setup' ? undefined : { amount, currency };
        return elements.ask('tokenize', { ...params, setup_future_usage, shown });
      },
    };
  };
  window.Stripe.version = 'stand-in';
})();
`;

/** The properties have the names of the variables of an appearance. */
const frameStyle = `*{box-sizing:border-box}
body{margin:0;padding:2px;font:16px/1.5 var(--fontFamily,system-ui);color:var(--colorText,CanvasText)}
form{display:grid;grid-template-columns:1fr 1fr;gap:14px 12px}
label{font-size:14px;font-weight:500}
label:first-child{grid-column:1/-1}
input{display:block;width:100%;height:46px;margin-top:5px;padding:8px 12px;font:inherit;font-size:16px;color:inherit;
background:var(--colorBackground,Canvas);border:1px solid #87909c;border-radius:var(--borderRadius,6px)}
input:focus{outline:2px solid var(--colorPrimary,Highlight);border-color:transparent}`;

/** What is typed here is sent to this server alone, under the publishable key. */
function frame(key: string): string {
  const field = (name: string, label: string, autocomplete: string) =>
    `<label>${label}<input name="${name}" inputmode="numeric" autocomplete="${autocomplete}"></label>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Card</title>
<style>${frameStyle}</style>
<form data-key="${escapeHtml(key)}">${field('number', 'Card number', 'cc-number')}
${field('expiry', 'Expiration date', 'cc-exp')}${field('cvc', 'Security code', 'cc-csc')}</form>
<script>
const { theme, variables = {} } = JSON.parse(new URLSearchParams(location.search).get('appearance') || '{}');
document.documentElement.style.colorScheme = theme === 'night' ? 'dark' : 'light';
for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty('--' + name, value);
const form = document.forms[0];
const value = (name) => form.elements[name].value.trim();
const isComplete = () => ['number', 'expiry', 'cvc'].every((name) => value(name) !== '');
const tell = (message) => parent.postMessage(message, '*');
const flat = (value, name, pairs) => {
  if (value && typeof value === 'object')
    for (const [member, one] of Object.entries(value)) flat(one, name ? name + '[' + member + ']' : member, pairs);
  else if (value !== undefined) pairs.push([name, value]);
  return pairs;
};
const incomplete = { type: 'validation_error', code: 'incomplete_number', message: 'Your card details are incomplete.' };
async function tokenize({ payment_method_data = {}, ...rest }) {
  const [exp_month = '', year = ''] = value('expiry').split('/').map((part) => part.trim());
  const card = { number: value('number'), exp_month, exp_year: year.length === 2 ? '20' + year : year, cvc: value('cvc') };
  const body = new URLSearchParams(flat({ payment_method_data: { ...payment_method_data, type: 'card', card }, ...rest }, '', []));
  const answer = await fetch('/v1/confirmation_tokens', { method: 'POST', body,
    headers: { authorization: 'Bearer ' + form.dataset.key } });
  const json = await answer.json();
  return answer.ok ? { confirmationToken: json } : { error: json.error };
}
form.addEventListener('input', () => tell({ event: 'change', complete: isComplete(), empty: !value('number') }));
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('message', async ({ source, data: { id, verb, params } }) => {
  if (source !== parent) return;
  const error = { type: 'api_connection_error', message: 'The connection to the fake has failed.' };
  const answer = !isComplete() ? { error: incomplete } : verb === 'submit' ? {} : await tokenize(params).catch(() => ({ error }));
  tell({ id, answer });
});
tell({ event: 'ready' });
</script></html>`;
}
