import type { Connection } from '../base/sql.ts';
import { businessRules } from '../resources/payments/balance/rules.ts';
import { checkoutRestRules, checkoutRules } from './checkout_invariants.ts';

/**
 * The invariants of payments in SQL, so that they share nothing with the code that has to keep them. `simulator_charges` is the
 * processor's own ledger: it knows whether a card was charged. A scope is one tenant, or all.
 */
const rules: Record<string, string> = {
  'amounts: 0 <= received <= amount': `
    select id from payments where amount_received < 0 or amount_received > amount`,
  'the account of the processor is also a column': `
    select id from payments where processor->>'account' is distinct from processor_account`,
  'amounts: 0 <= refunded <= captured <= authorized': `
    select attempt as id from charges where not (0 <= refunded and refunded <= captured and captured <= authorized)`,
  'a succeeded payment has received what the processor took': `
    select p.id, p.amount_received, m.captured from payments p join money m on m.tenant = p.tenant and m.id = p.id
     where p.status = 'succeeded' and (p.amount_received <> m.captured or p.amount_received = 0)`,
  'a refund that succeeded is one that the processor made': `
    select r.id, r.status, e.result from refunds r
      left join entries e on e.tenant = r.tenant
       and case when r.processor_reference is null then e.attempt = r.attempt else e.reference = r.processor_reference end
     where (r.status = 'succeeded' and e.attempt is null) or (r.status = 'failed' and e.result = 'approved')`,
  'a dispute is one that the processor has, and takes as much': `
    select d.id, d.amount, e.amount as theirs from disputes d
      left join entries e on e.tenant = d.tenant and e.reference = d.reference and e.verb = 'dispute'
     where e.amount is distinct from d.amount`,
  'a failed or canceled payment holds and took nothing': `
    select p.id, p.status, m.net, m.held from payments p join money m on m.tenant = p.tenant and m.id = p.id
     where p.status in ('failed', 'canceled') and (m.net <> 0 or m.held <> 0 or p.amount_received <> 0)`,
  'a payment that waits for its capture holds its amount': `
    select p.id, m.net, m.held from payments p join money m on m.tenant = p.tenant and m.id = p.id
     where p.status = 'requires_capture' and p.open_attempt is null and (m.net <> 0 or m.held <> p.amount)`,
  'at most one charge per payment': `
    select id, charges from money where charges > 1`,
  'no charge without a payment': `
    select c.attempt as id from charges c
     where c.authorized > 0 and not exists (select 1 from attempts a where a.tenant = c.tenant and a.id = c.attempt)`,
  'at most one effect per attempt': `
    select attempt as id, count(*) from entries where verb <> 'decide' group by tenant, attempt having count(*) > 1`,
  'a refund is announced once, and once more when it fails': `
    select r.id, r.status, t.created, t.failed from refunds r join attempts a on a.tenant = r.tenant and a.id = r.attempt
     cross join lateral (
       select count(*) filter (where e.type = 'refund.created') as created, count(*) filter (where e.type = 'refund.failed') as failed
         from events e where e.tenant = r.tenant and e.object_id = r.id) t
     where t.created <> case when a.state = 'open' then 0 else 1 end or t.failed <> case when r.status = 'failed' then 1 else 0 end`,
  'a payment tells of every refund that got through': `
    select p.id, t.told, s.settled from payments p
     cross join lateral (
       select count(*) as told from events e where e.tenant = p.tenant and e.object_id = p.id and e.type = 'payment.refunded') t
     cross join lateral (
       select count(*) as settled from postings x
        where x.tenant = p.tenant and x.payment = p.id and x.source <> x.payment and x.kind = 'refund_settled') s
     where t.told <> s.settled`,
  'a dispute is announced once, and once more when it ends': `
    select d.id, d.status, t.created, t.closed from disputes d cross join lateral (
       select count(*) filter (where e.type = 'dispute.created') as created, count(*) filter (where e.type = 'dispute.closed') as closed
         from events e where e.tenant = d.tenant and e.object_id = d.id) t
     where t.created <> 1 or t.closed <> case when d.status in ('won', 'lost') then 1 else 0 end`,
  'a setup that succeeded was approved once at the processor, and one that failed or was canceled is not': `
    select s.id, s.status, made.approvals from setups s
      cross join lateral (
        select count(*) filter (where exists (
                 select from entries e where e.tenant = a.tenant and e.authorization_attempt = a.id and e.result = 'approved'
                    and e.verb in ('setup', 'decide'))
               and not exists (
                 select from entries e where e.tenant = a.tenant and e.authorization_attempt = a.id and e.result = 'approved'
                    and e.verb = 'cancel')) as approvals,
               count(*) filter (where a.connector not in ('simulator', 'stripe')) as others
          from attempts a where a.tenant = s.tenant and a.setup = s.id and a.verb = 'setup') made
     where made.others = 0 and s.status in ('succeeded', 'failed', 'canceled')
       and made.approvals <> case when s.status = 'succeeded' then 1 else 0 end`,
  'a setup has one event for its end, and none before': `
    select s.id, s.status, t.ends from setups s cross join lateral (
       select count(*) as ends, count(*) filter (where e.type = 'setup.' || s.status) as own from events e
        where e.tenant = s.tenant and e.object_id = s.id and e.type in ('setup.succeeded', 'setup.failed', 'setup.canceled')) t
     where case when s.status in ('succeeded', 'failed', 'canceled') then t.ends <> 1 or t.own <> 1 else t.ends <> 0 end`,
  'a setup has failed if it says why': `
    select id, status, failure_code from setups where (status = 'failed') <> (failure_code is not null)`,
  'a subscription waits for a setup of its own that has not ended': `
    select b.id, b.pending_setup, s.status from subscriptions b
      left join setups s on s.tenant = b.tenant and s.id = b.pending_setup and s.subscription = b.id
     where b.pending_setup is not null and (s.id is null or s.status not in ('requires_action', 'processing'))`,
  'what has succeeded, or holds money, has a payment method': `
    select id, status from payments where status in ('requires_capture', 'succeeded') and payment_method is null
    union all select id, status from setups where status = 'succeeded' and payment_method is null`,
  'only what is not over remembers how a page was asked for': `
    select a.id, a.state from attempts a join payments p on p.tenant = a.tenant and p.id = a.payment
     where a.page is not null and p.status in ('succeeded', 'failed', 'canceled')`,
  'no row refers to another tenant': `
    select p.id from payments p where p.payment_method is not null and not exists (
      select 1 from payment_methods m where m.tenant = p.tenant and m.id = p.payment_method)
    union all select a.id from attempts a where a.setup is null and not exists (
      select 1 from payments p where p.tenant = a.tenant and p.id = a.payment)
    union all select a.id from attempts a where a.setup is not null and not exists (
      select 1 from setups s where s.tenant = a.tenant and s.id = a.setup)
    union all select s.id from setups s where s.payment_method is not null and not exists (
      select 1 from payment_methods m where m.tenant = s.tenant and m.id = s.payment_method)
    union all select e.id from events e where e.type like 'setup.%' and not exists (
      select 1 from setups s where s.tenant = e.tenant and s.id = e.object_id)
    union all select e.id from events e where e.type like 'payment.%' and not exists (
      select 1 from payments p where p.tenant = e.tenant and p.id = e.object_id)
    union all select c.payment from entries c where c.payment is not null and not exists (
      select 1 from payments p where p.tenant = c.tenant and p.id = c.payment) and not exists (
      select 1 from setups s where s.tenant = c.tenant and s.id = c.payment)`,
};

/** Only once faults have ended and time has passed. */
const restRules: Record<string, string> = {
  'nothing is processing': `select id, status, inquiries, due_at from payments where status = 'processing'`,
  'no setup is processing, has its slot taken or is leased, and none that is over is due': `
    select id, status, open_attempt, due_at, lease_until from setups
     where status = 'processing' or open_attempt is not null or lease_until is not null
        or (status in ('succeeded', 'failed', 'canceled') and due_at is not null)`,
  'no slot is taken': `select id, open_attempt from payments where open_attempt is not null`,
  'no attempt is on its way': `
    select id, payment, setup, verb, state from attempts where state in ('open', 'unknown', 'pending')`,
  'what is over is not due, and nothing is leased': `
    select id, status, due_at, lease_until from payments
     where (status in ('succeeded', 'failed', 'canceled') and due_at is not null) or lease_until is not null`,
  'no refund is pending': `select id, status, inquiries, due_at from refunds where status = 'pending'`,
  'a payment keeps what the processor keeps': `
    select p.id, p.amount_received, p.amount_refunded, m.net from payments p
      join money m on m.tenant = p.tenant and m.id = p.id
      left join (select tenant, payment, sum(amount) as amount from disputes where status <> 'won' group by 1, 2) d
        on d.tenant = p.tenant and d.payment = p.id
     where p.status = 'succeeded'
       and p.amount_received - coalesce(p.amount_refunded, 0) - coalesce(d.amount, 0) <> m.net`,
  'the processor has no dispute that is not known here': `
    select e.reference as id from entries e where e.verb = 'dispute' and not exists (
      select 1 from disputes d where d.tenant = e.tenant and d.reference = e.reference)`,
  'no change waits for its payment': `select id, due_at from pending_changes`,
  'no request is unfinished': `select key as id, operation from idempotency where status is null`,
};

/**
 * The rows that the rules read: all, or those of one tenant, $1. Tables keep their indexes, and what is computed is computed once.
 * `money`: the authorizations of a payment as the processor sees them.
 */
const scope = (tenant: number | undefined) => {
  const only = tenant === undefined ? '' : ' where tenant = $1';
  const names = [
    ...['payments', 'attempts', 'refunds', 'disputes', 'postings', 'events', 'idempotency', 'payment_methods'],
    ...['pending_changes', 'setups', 'subscriptions', 'customers', 'invoices', 'checkout_sessions'],
    ...['payment_links', 'payment_link_counts', 'payment_link_sales', 'payment_link_places'],
  ];
  const rows = (name: string, from: string) => `${name} as not materialized (select * from ${from}${only}), `;
  return `with ${names.map((name) => rows(name, name)).join('')} ${rows('entries', 'simulator_entries')}
charges as materialized (select * from simulator_charges${only}),
money as materialized (
  select a.tenant, a.payment as id,
         coalesce(sum(c.net), 0)::int8 as net,
         coalesce(sum(case when c.canceled then 0 else c.captured end), 0)::int8 as captured,
         coalesce(sum(case when c.canceled or c.captured > 0 then 0 else c.authorized end), 0)::int8 as held,
         count(*) filter (where c.authorized > 0) as charges
    from attempts a left join charges c on c.tenant = a.tenant and c.attempt = a.id
   where a.verb = 'authorize' group by a.tenant, a.payment)`;
};

const arrows: Record<string, readonly string[]> = {
  none: ['succeeded', 'requires_capture', 'requires_action', 'failed', 'processing'],
  requires_action: ['succeeded', 'requires_capture', 'failed', 'canceled', 'processing'],
  requires_capture: ['succeeded', 'failed', 'canceled', 'processing'],
  processing: ['succeeded', 'requires_capture', 'requires_action', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
};
/** A try of a checkout whose approval came when it was over. */
const lateArrows: readonly string[] = ['succeeded', 'requires_capture'];

/** All violations, as sentences. `rest`: faults have ended and time has passed, so that nothing may be in flight. */
export async function violationsOf(
  sql: Connection,
  { rest, tenant }: { rest: boolean; tenant?: number },
): Promise<string[]> {
  // Some tests check after every step. Planning the statements each time would take ten times as long as running them.
  await sql.query('set plan_cache_mode = force_generic_plan');
  const all = { ...rules, ...checkoutRules, ...(rest ? { ...restRules, ...checkoutRestRules } : {}) };
  const name = `rules${rest ? ' at rest' : ''}${tenant === undefined ? '' : ' of one'}`;
  const broken = await brokenRules(sql, { name, all, scope: scope(tenant), values: valuesOf(tenant) });
  const found = [...broken, ...(await brokenBooks(sql, tenant)), ...(await illegalHistories(sql, tenant))];
  await sql.query('reset plan_cache_mode');
  return found;
}

/** Those of the checkout alone, and the books: where the processor keeps none that could be compared. */
export async function checkoutViolations(sql: Connection, tenant: number): Promise<string[]> {
  const all = { name: 'checkout of one', all: checkoutRules, scope: scope(tenant), values: valuesOf(tenant) };
  return [
    ...(await brokenRules(sql, all)),
    ...(await brokenBooks(sql, tenant)),
    ...(await illegalHistories(sql, tenant)),
  ];
}

const valuesOf = (tenant: number | undefined) => (tenant === undefined ? [] : [tenant]);

type RuleSet = { name: string; all: Record<string, string>; scope: string; values: unknown[] };

/** All rules in one prepared statement. */
async function brokenRules(sql: Connection, { name, all, scope, values }: RuleSet): Promise<string[]> {
  const checks = Object.entries(all).map(
    ([rule, text]) => `select '${rule}' as rule, to_json(r) as row from (${text}) r`,
  );
  const { rows } = await sql.query({ name, text: `${scope} ${checks.join(' union all ')}`, values });
  const found = Map.groupBy(rows, ({ rule }) => rule as string);
  return [...found].map(([rule, broken]) => {
    const examples = JSON.stringify(broken.slice(0, 3).map(({ row }) => row));
    return `${rule}: ${broken.length}, such as ${examples}`;
  });
}

const books = Object.fromEntries(businessRules.map(({ name, sql }) => [name, sql]));

const withBooks = 'select tenant from payments union select tenant from postings';

/** Checks the ledger with the rules of `tollgate ledger verify`. */
async function brokenBooks(sql: Connection, tenant: number | undefined): Promise<string[]> {
  const { rows } = tenant === undefined ? await sql.query(withBooks) : { rows: [{ tenant }] };
  return brokenRules(sql, { name: 'books', all: books, scope: '', values: [rows.map((row) => row.tenant)] });
}

/** One event per transition, none twice, and together they are a path of allowed transitions to the payment's status. */
async function illegalHistories(sql: Connection, tenant: number | undefined): Promise<string[]> {
  type Row = { id: string; status: string; is_try: boolean; announced: boolean; history: string[] | null };
  const { rows } = await sql.query<Row>({
    name: `histories${tenant === undefined ? '' : ' of one'}`,
    values: valuesOf(tenant),
    text: `${scope(tenant)} select p.id, p.status, p.checkout_session is not null as is_try, not (p.status = 'processing' and exists (
              select 1 from attempts a where a.tenant = p.tenant and a.id = p.open_attempt and a.state = 'open')) as announced,
            (select array_agg(e.type || ' ' || e.object_version || ' ' ||
                      (convert_from(e.payload, 'UTF8')::json #>> '{data,object,status}') order by e.object_version, e.id)
               from events e where e.tenant = p.tenant and e.object_id = p.id
                and e.type not in ('payment.updated', 'payment.refunded')) as history
       from payments p`,
  });
  const found: string[] = [];
  for (const { id, status, is_try: isTry, announced, history } of rows) {
    const events = (history ?? []).map((text) => text.split(' '));
    let at = 'none';
    let version = '';
    const problems: string[] = [];
    for (const [type, atVersion, shown] of events) {
      if (type !== `payment.${shown}`) problems.push(`${type} shows ${shown}`);
      if (atVersion === version) problems.push(`two events at version ${version}`);
      const isLate = isTry && (at === 'failed' || at === 'canceled') && lateArrows.includes(shown!);
      if (!isLate && !arrows[at]?.includes(shown!)) problems.push(`${at} -> ${shown}`);
      at = shown!;
      version = atVersion!;
    }
    // A payment whose first call is in flight has no event yet.
    if (at !== status && announced) problems.push(`the events end with ${at}, the payment is ${status}`);
    if (problems.length > 0) found.push(`history of ${id}: ${problems.join(', ')} (${JSON.stringify(history)})`);
  }
  return found;
}

/** The statuses in a payment's events, in order. */
export async function historyOf(sql: Connection, payment: string): Promise<string[]> {
  const { rows } = await sql.query<{ type: string }>(
    `select type from events where object_id = $1 and type not in ('payment.updated', 'payment.refunded') order by object_version, id`,
    [payment],
  );
  return rows.map(({ type }) => type.slice('payment.'.length));
}
