import { Radio, Stack, Switch } from '@mantine/core';
import type { PortalSettings } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { type DialogForm, useDialogForm } from '../../kit/dialog_form.tsx';
import { SettingsForm } from '../../kit/settings_form.tsx';
import { changesOf, type PortalFields, type PortalSwitch, settingsOf } from './fields.ts';
import { PortalPreview } from './preview.tsx';
import { PricesInput } from './prices.tsx';

type Form = DialogForm<PortalFields>;

/** The switches beside what customers get by them. */
export function PortalForm({ settings }: { settings: PortalSettings }) {
  const form = useDialogForm<PortalFields>('Portal', () => settingsOf(settings));
  const { values, held } = form;
  return (
    <SettingsForm
      held={held}
      calls="portal_settings.update"
      changes={changesOf(settings, values)}
      save={(api, changes) => api.portalSettings.update(changes)}
      saved="Customer portal saved"
      onDiscard={() => form.setValues(settingsOf(settings))}
      preview={<PortalPreview fields={values} />}
    >
      <Section title="Payment methods">
        <Stack gap="md">
          <Choice form={form} name="add_method" label="Add" about="On a page of the checkout" />
          <Choice
            form={form}
            name="default_method"
            label="Choose which one pays"
            about="For subscriptions. It is charged at once for open invoices whose charge has failed"
          />
          <Choice form={form} name="remove_method" label="Remove" />
        </Stack>
      </Section>
      <Subscriptions form={form} />
      <Section title="Details">
        <Choice
          form={form}
          name="edit_details"
          label="Edit contact details"
          about="Email, name, phone number, address and tax ID"
        />
      </Section>
    </SettingsForm>
  );
}

type ChoiceProps = { form: Form; name: PortalSwitch; label: string; about?: string };

function Choice({ form, name, label, about }: ChoiceProps) {
  return (
    <Switch
      label={label}
      description={about}
      checked={form.values[name]}
      onChange={(event) => form.setValues({ [name]: event.currentTarget.checked })}
    />
  );
}

function Subscriptions({ form }: { form: Form }) {
  return (
    <Section title="Subscriptions">
      <Stack gap="md">
        <Radio.Group
          label="Cancel"
          description="Customers are asked for a reason"
          value={form.values.cancel}
          onChange={(cancel) => form.setValues({ cancel: cancel as PortalFields['cancel'] })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="off" label="Not by themselves" />
            <Radio value="period_end" label="At the end of the period, and take it back until then" />
            <Radio value="now" label="Immediately, without a refund" />
          </Stack>
        </Radio.Group>
        <Choice form={form} name="pause" label="Pause" about="The rest of the period is credited" />
        <Choice form={form} name="resume" label="Resume" about="Also what somebody of this account has paused" />
        <PricesInput
          value={form.values.change_price}
          onChange={(change_price) => form.setValues({ change_price })}
          error={form.input('change_price').error}
        />
        <Choice form={form} name="change_quantity" label="Change the quantity" />
      </Stack>
    </Section>
  );
}
