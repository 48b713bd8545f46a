import { escapeHtml } from '../../../base/page.ts';
import type { FieldContext } from './fields.ts';
import { type Guide, taskGroup } from './guides.ts';
import { card, cardList, type ReferenceContent } from './layout.ts';
import type { ApiModel, OperationModel } from './model.ts';
import { groupsOf } from './reference_page.ts';
import { curlCall } from './samples/curl.ts';
import { pythonCall, pythonClient } from './samples/python.ts';
import {
  dataFile,
  type Reference,
  referenceText,
  type SampleCall,
  type SampleOptions,
  sampleBase,
} from './samples/sample.ts';
import { tabs } from './samples/tabs.ts';
import { typescriptCall, typescriptClient } from './samples/typescript.ts';
import { codeBlock } from './text.ts';

/** What somebody can do here, with the guides that say how. */
const abilities: readonly (readonly [words: string, guides: readonly string[]])[] = [
  [
    'Sell on a page of this server, by a session for each order or by a link for everybody',
    ['sell-from-a-shop', 'checkout'],
  ],
  ['Take payments, hold and capture them, with 3-D Secure where the bank asks for it', ['payments', 'payment-methods']],
  ['Refund them, and answer disputes', ['refunds', 'disputes']],
  ['Bill customers every month, with trials, coupons, proration and retries', ['subscriptions', 'billing-rules']],
  ['Receive a signed webhook for every change', ['webhooks', 'events']],
  [
    'Route payments among your accounts at processors, and reconcile what they report',
    ['processors', 'reconciliation'],
  ],
];

/** The first page: what can be done, a first payment, and the way to everything else. */
export function startPage(
  api: ApiModel,
  context: FieldContext,
  guides: readonly Guide[],
  samples: SampleOptions,
): ReferenceContent {
  const tasks = guides.filter(({ group }) => group === taskGroup);
  const parts = [
    { id: 'first-payment', title: 'Three steps to a first payment', html: firstPayment(api, samples) },
    { id: 'tasks', title: 'Tasks', html: tasks.length === 0 ? '' : taskCards(tasks, context) },
    { id: 'guides', title: 'Guides', html: guideList(guides.filter(({ group }) => group !== taskGroup)) },
    { id: 'reference', title: 'API reference', html: resourceList(api) },
  ].filter(({ html }) => html !== '');
  const content = `<p class="lead">This server takes payments through your own accounts at processors such as Stripe, bills subscriptions, and
keeps the books. With a test key no money moves, and no processor is needed.</p>
${abilityList(guides)}
${parts.map(({ id, title, html }) => `<h2 id="${id}">${title}</h2>\n${html}`).join('\n')}`;
  return { title: 'Tollgate documentation', content, sections: parts.map(({ id, title }) => ({ id, title })) };
}

function abilityList(guides: readonly Guide[]): string {
  const items = abilities.map(([words, names]) => {
    const links = names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []).map(guideLink);
    return `<li>${words}${links.length === 0 ? '' : `: ${links.join(', ')}`}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

const guideLink = ({ name, title }: Guide) => `<a href="/docs/guides/${name}">${escapeHtml(title)}</a>`;

function taskCards(tasks: readonly Guide[], { line }: FieldContext): string {
  return cardList(tasks.map(({ name, title, question }) => card(`/docs/guides/${name}`, title, line(question))));
}

function guideList(guides: readonly Guide[]): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)];
  return groupedLinks(groups.map(([group, ofGroup]) => [group, ofGroup.map(guideLink)]));
}

function resourceList(api: ApiModel): string {
  const groups = groupsOf(api).map(([group, resources]): [string, string[]] => [
    group,
    resources.map(({ tag, title }) => `<a href="/docs/${tag}">${escapeHtml(title)}</a>`),
  ]);
  const more = [
    '<a href="/docs/reference">Requests and answers</a>',
    '<a href="/docs/event_types">Event types</a>',
    '<a href="/docs/errors">Errors</a>',
    '<a href="/openapi.json">OpenAPI description</a>',
  ];
  return groupedLinks([...groups, ['All of them', more]]);
}

function groupedLinks(groups: readonly (readonly [group: string, links: readonly string[]])[]): string {
  if (groups.length === 0) return '';
  const rows = groups.map(([group, links]) => `<div><dt>${escapeHtml(group)}</dt><dd>${links.join(' ')}</dd></div>`);
  return `<dl class="groups">\n${rows.join('\n')}\n</dl>`;
}

function firstPayment(api: ApiModel, options: SampleOptions): string {
  const operations = api.resources.flatMap((resource) => resource.operations);
  const call = (id: string, more: Omit<SampleCall, 'operation' | 'id'>): SampleCall => {
    const operation = operations.find((one) => one.id === id) as OperationModel;
    return { operation, id: undefined, ...more };
  };
  const stored: Reference = { variable: 'payment_method', path: [{ step: 'id' }], isList: false };
  const card = call('payment_methods.create', {
    parameters: { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2030 } },
    variable: stored.variable,
  });
  const payment = call('payments.create', {
    parameters: { amount: 2000, currency: 'eur', payment_method: referenceText(stored), description: 'Order 7' },
    variable: 'payment',
    prints: [{ step: 'status' }],
  });
  const calls = [card, payment];
  const curl = `${curlCall(card, options, { variable: stored.variable, filter: '.id' })}\n${curlCall(payment, options)}`;
  return `<h3 id="set-up">1. Take a test key</h3>
${setUp(options)}
<h3 id="client">2. Install a client</h3>
${clients(options)}
<h3>3. Store a card, and charge it</h3>
<p>4242 4242 4242 4242 is approved. The status is <code>succeeded</code>, and <code>amount</code> is in the smallest unit of the
currency: 20.00 euros.</p>
${tabs('first-payment-program', [
  { label: 'curl', language: 'sh', code: curl },
  { label: 'TypeScript', language: 'ts', code: `${typescriptClient()}${calls.map(typescriptCall).join('\n')}` },
  { label: 'Python', language: 'python', code: `${pythonClient(options)}${calls.map(pythonCall).join('\n')}` },
])}`;
}

function setUp({ dataDir }: SampleOptions): string {
  const isLocal = dataDir !== undefined;
  const commands = isLocal
    ? `export TOLLGATE_API_KEY=$(jq -r .test_secret_key ${dataFile(dataDir, 'dev.json')})
export NODE_EXTRA_CA_CERTS=${dataFile(dataDir, 'tls/ca.pem')}`
    : `read -rs TOLLGATE_API_KEY && export TOLLGATE_API_KEY`;
  const words = isLocal
    ? 'In the folder in which <code>tollgate dev</code> runs, take the test key of the demo account, and let Node trust the local certificate. All samples read the key from this variable:'
    : 'The operator of this gateway, or the dashboard, makes keys. Type a test key in once, so that it does not stay in the history of the shell. All samples read it from this variable:';
  return `<p>${words}</p>
${codeBlock(commands, 'sh')}`;
}

function clients({ dataDir }: SampleOptions): string {
  const certificate = dataDir === undefined ? '' : `--cert ${dataFile(dataDir, 'tls/ca.pem')} `;
  return `<p>Both clients come from this server. They send idempotency keys, retry, page and verify webhooks.</p>
${tabs('clients', [
  { label: 'curl', language: 'sh', code: 'curl --version # 7.82 or newer; also jq and openssl' },
  { label: 'TypeScript', language: 'sh', code: `npm install ${sampleBase}/sdk/tollgate-node.tgz` },
  { label: 'Python', language: 'sh', code: `pip install ${certificate}${sampleBase}/sdk/tollgate-python.tar.gz` },
])}`;
}
