import type { ReactNode } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import type { PortalFields } from './fields.ts';
import style from './portal.module.css';

const amount = formatMoney(4_800, 'eur');

/** The first page of the portal, with what its customer may press. Nothing in it can be pressed. */
export function PortalPreview({ fields }: { fields: PortalFields }) {
  const { account } = useWorkspace();
  const { add_method, remove_method, default_method, edit_details } = fields;
  return (
    <Section title="Preview">
      <div role="img" aria-label="How the portal will look" className={style.page}>
        <div className={style.name} dir="auto">
          {account.name}
        </div>
        <Part title="Subscriptions">
          <Row words={`Coffee club · ${amount} / month`} links={linksOf(fields)} />
        </Part>
        <Part title="Payment methods" links={[add_method && 'Add payment method']}>
          <Row words="Visa •••• 4242 · Default" links={[remove_method && 'Remove']} />
          <Row words="Mastercard •••• 4444" links={[default_method && 'Make default', remove_method && 'Remove']} />
        </Part>
        <Part title="Invoices">
          <Row words={`INV-000012 · ${amount}`} links={['Invoice (PDF)']} />
        </Part>
        <Part title="Contact details" links={[edit_details && 'Edit']}>
          <Row words="Ada Lovelace" links={[]} />
        </Part>
      </div>
    </Section>
  );
}

/** What an active subscription offers; of a paused one, the last. */
function linksOf({ cancel, pause, resume, change_price, change_quantity }: PortalFields): readonly Link[] {
  return [
    (change_quantity || change_price.length > 1) && 'Change',
    pause && 'Pause',
    cancel !== 'off' && (cancel === 'now' ? 'Cancel immediately' : 'Cancel at the end of the period'),
    resume && 'Resume, when it is paused',
  ];
}

type Link = string | false;

function Part({ title, links = [], children }: { title: string; links?: readonly Link[]; children: ReactNode }) {
  return (
    <div className={style.part}>
      <div className={style.name}>{title}</div>
      {children}
      <Links links={links} />
    </div>
  );
}

function Row({ words, links }: { words: string; links: readonly Link[] }) {
  return (
    <div className={style.row}>
      <span>{words}</span>
      <Links links={links} />
    </div>
  );
}

function Links({ links }: { links: readonly Link[] }) {
  const shown = links.filter((link) => link !== false);
  if (shown.length === 0) return null;
  return (
    <span className={style.links}>
      {shown.map((link) => (
        <u key={link}>{link}</u>
      ))}
    </span>
  );
}
