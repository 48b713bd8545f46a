import { useForm } from '@mantine/form';
import { CardError, ResponseError } from '@tollgate/node';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import type { Draft } from '../session/drafts.ts';
import { useDraft } from './draft.ts';
import { isRefusal } from './failure.tsx';
import { pathsOfParam, refusalOfField } from './refusal_words.ts';

/** What an input of a form is given. Those of Mantine take it as it is. */
export type InputProps<Value> = {
  value: Value;
  onChange(change: Value | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  error: ReactNode;
  /** By which a refusal finds the input. One that has it shows `error`. */
  'data-path': string;
};

/** The same for an input that is in forms and elsewhere. */
export type ValueProps<Value> = {
  value: Value;
  onChange(value: Value): void;
  error?: ReactNode;
  'data-path'?: string;
};

/** The parameters that are not called as the fields that send them, such as `currency: 'amount.currency'`. */
export type SentBy = Readonly<Record<string, string>>;

export type DialogForm<Values> = {
  values: Values;
  setValues(changed: Partial<Values>): void;
  input<Name extends keyof Values & string>(name: Name): InputProps<Values[Name]>;
  /** For an input of a part of a field. */
  part<Name extends keyof Values & string, Part extends keyof Values[Name] & string>(
    name: Name,
    part: Part,
  ): InputProps<Values[Name][Part]>;
  /** For the dialog. */
  held: { draft: Draft; showAtField(error: unknown): boolean };
};

/** The values of a dialog, kept as a draft, and what the API says about single ones. `name`: of the draft, on the page that shows the dialog. */
export function useDialogForm<Values extends Record<string, unknown>>(
  name: string,
  initial: () => Values,
  sentBy: SentBy = {},
): DialogForm<Values> {
  const draft = useDraft(name);
  const [first] = useState(initial);
  const [refused, setRefused] = useState<{ path: string }>();
  const form = useForm<Record<string, unknown>>({
    initialValues: { ...first, ...draft.restored },
    onValuesChange(values) {
      for (const [field, value] of Object.entries(first)) draft.keep(field, values[field], value);
    },
  });
  // Once the error stands there: a screen reader then reads it with the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal moves the focus once
  useEffect(() => {
    if (refused !== undefined) focusInside(form.getInputNode(refused.path));
  }, [refused]);
  // biome-ignore lint/suspicious/noExplicitAny: Mantine knows no type of a path
  const props = (path: string) => form.getInputProps(path, { withFocus: false }) as InputProps<any>;
  return {
    values: form.values as Values,
    setValues: form.setValues,
    input: props,
    part: (field, part) => props(`${field}.${part}`),
    held: {
      draft,
      showAtField(error) {
        form.clearErrors();
        if (!isOfParameter(error)) return false;
        const path = pathsOfParam(error.param, sentBy).find((one) => form.getInputNode(one) !== null);
        if (path === undefined) return false;
        form.setFieldError(path, <Refusal key={error.requestId} refused={error} />);
        setRefused({ path });
        return true;
      },
    },
  };
}

/** Says the same again if it is refused again. */
function Refusal({ refused }: { refused: ResponseError }) {
  return <span role="alert">{refusalOfField(refused)}</span>;
}

/** A payment that was recorded is more than a wrong value. */
function isOfParameter(error: unknown): error is ResponseError & { param: string } {
  const isRecorded = error instanceof CardError && error.payment !== undefined;
  return error instanceof ResponseError && isRefusal(error) && error.param !== undefined && !isRecorded;
}

const inputs = 'input, textarea, button';

function focusInside(node: HTMLElement | null): void {
  if (node === null || node.matches(inputs)) node?.focus();
  else (node.querySelector<HTMLElement>(':checked') ?? node.querySelector<HTMLElement>(inputs))?.focus();
}
