import { Button, Group, TextInput } from '@mantine/core';
import type { TestClock } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog, confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { localMinute, secondsOf } from '../../kit/local_time.ts';
import { Moment } from '../../kit/moment.tsx';
import { shortened } from '../../kit/shortened.ts';
import { later, type Step, spanWords, steps } from './times.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

type TimeProps = { label: string; text: string; error?: string | undefined; onChange(text: string): void };

function TimeInput({ label, text, error, onChange }: TimeProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={`In your time zone, ${zone}`}
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** From the minute in which it is opened. */
export function createClock(): OpenDialog {
  return form({
    title: 'Create a test clock',
    fields: {
      name: textField('Name', '', {
        description: 'For example, what you want to test',
        maxLength: 256,
        autoComplete: 'off',
        hasFocus: true,
      }),
      frozen_time: field(localMinute(Date.now() / 1_000), (text, onChange) => (
        <TimeInput label="Starts at" text={text} onChange={onChange} />
      )),
    },
    describe(values) {
      const name = values.name.trim();
      const frozen_time = secondsOf(values.frozen_time);
      return {
        confirm: name === '' ? 'Create the clock' : `Create the clock ${shortened(name)}`,
        params: frozen_time === undefined ? undefined : { frozen_time, ...(name !== '' && { name }) },
        preview: [
          <>
            The clock stays{frozen_time === undefined ? '' : ' at '}
            {frozen_time && <Moment seconds={frozen_time} />} until it is advanced.
          </>,
          'Customers created with it use its time for their subscriptions, invoices and payments.',
        ],
      };
    },
    run: (api, params, options) => api.testClocks.create(params, options),
    done: () => 'Clock created',
    leadsTo: ({ id }) => `/test-clocks/${id}`,
  });
}

type AdvanceProps = { clock: TestClock; onBegun(to: number): void; onClose(): void };

/** By a usual step, or to a time of one's own. */
export function AdvanceDialog({ clock, onBegun, onClose }: AdvanceProps) {
  const { frozen_time: from } = clock;
  const [to, setTo] = useState<number | undefined>(() => later(from, '1 month'));
  const [text, setText] = useState(() => localMinute(later(from, '1 month')));
  const choose = (step: Step) => {
    setTo(later(from, step));
    setText(localMinute(later(from, step)));
  };
  const isLater = to !== undefined && to > from;
  return (
    <ActionDialog
      title="Advance this clock"
      confirm={isLater ? `Advance by ${spanWords(from, to)}` : 'Advance'}
      params={isLater ? { frozen_time: to } : undefined}
      preview={[
        <>
          The clock advances from <Moment seconds={from} /> to {isLater ? <Moment seconds={to} /> : '…'}.
        </>,
        'Everything that is due for its customers by then happens in order: trials end, subscriptions renew, invoices are charged, failed charges are retried.',
        <>
          Your webhook endpoints get the events, and <code>test_clock.ready</code> at the end. Until then its customers
          cannot be changed.
        </>,
        'A clock cannot go back.',
      ]}
      run={(api, params, options) => api.testClocks.advance(clock.id, params, options)}
      done={() => {
        onBegun(to!);
        return 'Clock is advancing';
      }}
      onClose={onClose}
    >
      <Group gap={6} role="group" aria-label="Steps">
        {(Object.keys(steps) as Step[]).map((step) => (
          <Button
            key={step}
            size="xs"
            variant={to === later(from, step) ? 'light' : 'default'}
            aria-pressed={to === later(from, step)}
            onClick={() => choose(step)}
          >
            {step}
          </Button>
        ))}
      </Group>
      <TimeInput
        label="To"
        text={text}
        error={isLater ? undefined : 'Must be later than the clock'}
        onChange={(changed) => {
          setText(changed);
          setTo(secondsOf(changed));
        }}
      />
    </ActionDialog>
  );
}

export function deleteClock(clock: TestClock): OpenDialog {
  return confirmation({
    title: 'Delete this clock',
    confirm: `Delete the clock ${shortened(clock.name ?? '')}`.trim(),
    isDangerous: true,
    preview: [
      'Its customers are deleted with their subscriptions, invoices and invoice items. Payments are kept.',
      'This cannot be undone.',
      <>
        Your webhook endpoints get <code>customer.deleted</code> for each of them.
      </>,
    ],
    run: (api, options) => api.testClocks.delete(clock.id, options),
    done: () => 'Clock deleted',
    leadsTo: () => '/test-clocks',
  });
}
