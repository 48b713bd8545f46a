import { Checkbox, Radio, Select, type SelectProps, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { type Action, ActionDialog, type OpenDialog } from './action_dialog.tsx';
import { useDraft } from './draft.ts';

/** A field of a form: its first value, and the input that shows and changes it. */
export type Field<Value> = { initial: Value; input(value: Value, onChange: (value: Value) => void): ReactNode };

type Fields = Record<string, Field<unknown>>;
type Values<Of extends Fields> = { [Name in keyof Of]: Of[Name]['initial'] };

type DescribedProp = 'params' | 'preview' | 'confirm' | 'isDangerous';

type FormDescriptor<Of extends Fields, Params, Result> = Omit<Action<Params, Result>, 'children' | DescribedProp> & {
  /** In their order. What is typed is kept as a draft, by page and title: two forms of one page have different titles. */
  fields: Of;
  /** What follows from the values. `hidden`: fields that do not apply to them. */
  describe(values: Values<Of>): Pick<Action<Params, Result>, DescribedProp> & { hidden?: readonly (keyof Of)[] };
};

/** A change with fields. One that reads something while it is open is an `ActionDialog`. */
export function form<Of extends Fields, Params, Result>(descriptor: FormDescriptor<Of, Params, Result>): OpenDialog {
  return (onClose) => <FormDialog {...descriptor} onClose={onClose} />;
}

type FormProps<Of extends Fields, Params, Result> = FormDescriptor<Of, Params, Result> & { onClose(): void };

function FormDialog<Of extends Fields, Params, Result>({ fields, describe, ...action }: FormProps<Of, Params, Result>) {
  const draft = useDraft(action.title);
  const [initial] = useState(() => initialValues(fields));
  const [values, setValues] = useState(() => ({ ...initial, ...draft.restored }));
  const { hidden = [], ...described } = describe(values);
  return (
    <ActionDialog {...action} {...described} draft={draft}>
      {Object.entries(fields)
        .filter(([name]) => !hidden.includes(name))
        .map(([name, { input }]) => (
          <Fragment key={name}>
            {input(values[name], (value) => {
              draft.keep(name, value, initial[name]);
              setValues((before) => ({ ...before, [name]: value }));
            })}
          </Fragment>
        ))}
    </ActionDialog>
  );
}

function initialValues<Of extends Fields>(fields: Of): Values<Of> {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial])) as Values<Of>;
}

/** A field with an input of its own. */
export function field<Value>(initial: Value, input: Field<Value>['input']): Field<Value> {
  return { initial, input };
}

/** `hasFocus`: where the dialog begins. */
type Focusable = { hasFocus?: boolean };

export function textField(
  label: string,
  initial: string,
  { hasFocus, ...props }: Omit<TextInputProps, 'value' | 'onChange'> & Focusable = {},
): Field<string> {
  return field(initial, (value, onChange) => (
    <TextInput
      label={label}
      data-autofocus={hasFocus}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ));
}

/** One of some values: none is not a choice. */
export function selectField<Value extends string>(
  label: string,
  data: NonNullable<SelectProps<Value>['data']>,
  initial: Value,
  { hasFocus, ...props }: Pick<SelectProps, 'description' | 'maxDropdownHeight'> & Focusable = {},
): Field<Value> {
  return field(initial, (value, onChange) => (
    <Select
      label={label}
      data={data}
      allowDeselect={false}
      data-autofocus={hasFocus}
      {...props}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  ));
}

export function checkboxField(label: string): Field<boolean> {
  return field(false, (isChecked, onChange) => (
    <Checkbox label={label} checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
  ));
}

type Choice<Value extends string> = readonly [value: Value, label: ReactNode, description?: string];

export function radioField<Value extends string>(
  label: string,
  choices: readonly Choice<Value>[],
  initial: Value,
): Field<Value> {
  return field(initial, (chosen, onChange) => (
    <Radio.Group label={label} value={chosen} onChange={(value) => onChange(value as Value)}>
      <Stack gap={8} mt={6}>
        {choices.map(([value, title, description]) => (
          <Radio key={value} size="xs" value={value} label={title} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  ));
}
