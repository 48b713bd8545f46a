import { Button, Group, TextInput } from '@mantine/core';
import type { TestClock } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { localMinute, secondsOf } from '../../kit/local_time.ts';
import { Moment } from '../../kit/moment.tsx';
import { shortened } from '../../kit/shortened.ts';
import { later, type Step, spanWords, steps } from './times.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const inZone = { type: 'datetime-local', description: `In your time zone, ${zone}` } as const;

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
      frozen_time: textField('Starts at', localMinute(Date.now() / 1_000), inZone),
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

/** `to`: to the second, where a step was chosen. */
type Target = { text: string; to: number | undefined };

const after = (from: number, step: Step): Target => ({ text: localMinute(later(from, step)), to: later(from, step) });

/** By a usual step, or to a time of one's own. */
export function advanceClock({ id, frozen_time: from }: TestClock, onBegun: (to: number) => void): OpenDialog {
  return form({
    title: 'Advance this clock',
    fields: {
      frozen_time: field(after(from, '1 month'), (input) => <TargetInputs from={from} {...input} />),
    },
    describe({ frozen_time: { to } }) {
      const isLater = to !== undefined && to > from;
      return {
        confirm: isLater ? `Advance by ${spanWords(from, to)}` : 'Advance',
        params: isLater ? { frozen_time: to } : undefined,
        preview: [
          <>
            The clock advances from <Moment seconds={from} /> to {isLater ? <Moment seconds={to} /> : '…'}.
          </>,
          'Everything that is due for its customers by then happens in order: trials end, subscriptions renew, invoices are charged, failed charges are retried.',
          <>
            Your webhook endpoints get the events, and <code>test_clock.ready</code> at the end. Until then its
            customers cannot be changed.
          </>,
          'A clock cannot go back.',
        ],
      };
    },
    run: async (api, params, options) => {
      await api.testClocks.advance(id, params, options);
      return params.frozen_time;
    },
    done: () => 'Clock is advancing',
    onDone: onBegun,
  });
}

function TargetInputs({ from, value: { text, to }, onChange, error, ...input }: InputProps<Target> & { from: number }) {
  return (
    <>
      <Group gap={6} role="group" aria-label="Steps">
        {(Object.keys(steps) as Step[]).map((step) => (
          <Button
            key={step}
            size="xs"
            variant={to === later(from, step) ? 'light' : 'default'}
            aria-pressed={to === later(from, step)}
            onClick={() => onChange(after(from, step))}
          >
            {step}
          </Button>
        ))}
      </Group>
      <TextInput
        label="To"
        {...inZone}
        {...input}
        value={text}
        error={to !== undefined && to > from ? error : 'Must be later than the clock'}
        onChange={({ currentTarget: { value } }) => onChange({ text: value, to: secondsOf(value) })}
      />
    </>
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
