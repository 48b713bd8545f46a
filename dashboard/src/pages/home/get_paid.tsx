import { Box, Button, Group, Select, Skeleton, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymentLink } from '@tollgate/node';
import { type FormEvent, useState } from 'react';
import { Command, Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { amountOf, currencies } from '../../kit/money.ts';
import { useRead, useRefresh } from '../../kit/read.ts';
import { linkAmount, linkName } from '../../nouns/sold_words.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './home.module.css';

/** A first payment without any code: make a link, open it, pay. */
export function GetPaid() {
  const { mode } = useWorkspace();
  const { data, error, refetch } = useRead(['payment_links', 'list', { first: true }], (api, options) =>
    api.paymentLinks.list({ active: true, limit: 1 }, options),
  );
  const [link] = data?.data ?? [];
  return (
    <Section title={`Make the first ${mode} payment`}>
      {data === undefined && error === null && (
        <Skeleton height={140} role="status" aria-busy="true" aria-label="Loading" />
      )}
      {data !== undefined && (link === undefined ? <NewLink /> : <PayLink link={link} />)}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
    </Section>
  );
}

type Fields = { description: string; amount: string; currency: string };

function NewLink() {
  const { api, mode } = useWorkspace();
  const refresh = useRefresh();
  const example = mode === 'test' ? { description: 'Coffee beans', amount: '20.00' } : { description: '', amount: '' };
  const [fields, setFields] = useState<Fields>({ ...example, currency: 'eur' });
  // The same fields are the same intent: a double click makes one link.
  const [keys] = useState(() => new Map<string, string>());
  const amount = amountOf(fields.amount, fields.currency);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (units: number) => {
      const { currency } = fields;
      const params = { amount: units, currency, description: fields.description.trim() };
      const intent = JSON.stringify(params);
      keys.set(intent, keys.get(intent) ?? crypto.randomUUID());
      return await api.paymentLinks.create(params, { idempotencyKey: keys.get(intent)! });
    },
    onSuccess: () => refresh(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount && !isPending) mutate(amount);
  };
  return (
    <form onSubmit={submit} className={style.getPaid}>
      <p>Say what you sell. You get the address of a page where anybody can pay for it. No code is needed.</p>
      <FirstFields fields={fields} onChange={setFields} />
      {error !== null && <Failure error={error} />}
      <Group>
        <Button type="submit" loading={isPending} disabled={!amount}>
          Get a payment link
        </Button>
      </Group>
    </form>
  );
}

function FirstFields({ fields, onChange }: { fields: Fields; onChange(fields: Fields): void }) {
  const { description, amount, currency } = fields;
  return (
    <div className={style.firstFields}>
      <TextInput
        label="What do you sell?"
        maxLength={1_000}
        value={description}
        onChange={(event) => onChange({ ...fields, description: event.currentTarget.value })}
      />
      <TextInput
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={amount !== '' && amountOf(amount, currency) === undefined && 'Enter an amount'}
        onChange={(event) => onChange({ ...fields, amount: event.currentTarget.value })}
      />
      <Select
        label="Currency"
        searchable
        allowDeselect={false}
        data={currencies}
        value={currency.toUpperCase()}
        onChange={(code) => code !== null && onChange({ ...fields, currency: code.toLowerCase() })}
      />
    </div>
  );
}

const card = '4242 4242 4242 4242';

function PayLink({ link }: { link: PaymentLink }) {
  const { mode } = useWorkspace();
  const { url, id } = link;
  const [price, name] = [linkAmount(link), linkName(link)];
  return (
    <div className={style.getPaid}>
      <p>
        Your link{price === undefined ? '' : ` for ${price}`}
        {name === undefined ? '' : `, “${name}”`} is ready. Send it to a customer, or open it and pay.
      </p>
      <Command text={url} label="Copy the address" />
      {mode === 'test' && (
        <p>
          Pay with the card <code>{card}</code> <Copy text={card} label="Copy the card number" /> and any date in the
          future and security code. No real money moves.
        </p>
      )}
      <Group gap="md">
        <Button component="a" href={url} target="_blank" rel="noreferrer">
          Open the page and pay
        </Button>
        <Link to={`/payment-links/${id}` as string}>QR code and settings</Link>
      </Group>
      <Box c="dimmed" fz="sm">
        This page shows the payment as soon as it is made.
      </Box>
    </div>
  );
}
