import { Button, FileButton, Group, Input, Stack, Textarea, TextInput } from '@mantine/core';
import type { Branding } from '@tollgate/node';
import { useState } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { type DialogForm, useDialogForm } from '../../kit/dialog_form.tsx';
import { SettingsForm } from '../../kit/settings_form.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './branding.module.css';
import { isColor } from './contrast.ts';
import {
  type BrandingFields,
  base64Of,
  changesOf,
  fieldsOf,
  type LogoChoice,
  logoTypes,
  problemOfFile,
} from './fields.ts';
import { Preview } from './preview.tsx';

type Form = DialogForm<BrandingFields>;

/** The branding beside what customers will see of it. */
export function BrandingForm({ branding }: { branding: Branding }) {
  const { account } = useWorkspace();
  const form = useDialogForm<BrandingFields>('Branding', () => fieldsOf(branding));
  const [logo, setLogo] = useState<LogoChoice>({ kind: 'kept' });
  const { values, held } = form;
  const discard = () => {
    form.setValues(fieldsOf(branding));
    setLogo({ kind: 'kept' });
  };
  return (
    <SettingsForm
      held={held}
      calls="branding.update"
      changes={changesOf(branding, values, logo)}
      save={(api, changes) => api.branding.update(changes)}
      saved="Branding saved"
      onDiscard={discard}
      preview={<Preview fields={values} logo={logo} stored={branding.logo} accountName={account.name} />}
    >
      <Look form={form} logo={logo} stored={branding.logo} onLogo={setLogo} accountName={account.name} />
      <Contact form={form} />
      <Seller form={form} />
    </SettingsForm>
  );
}

type LookProps = LogoProps & { accountName: string };

function Look({ form, accountName, ...logo }: LookProps) {
  const { onChange, ...color } = form.input('color');
  return (
    <Section title="Look">
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Who is paid, as customers know you"
          placeholder={accountName}
          maxLength={100}
          {...form.input('display_name')}
        />
        <LogoInput form={form} {...logo} />
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            label="Color"
            description="Of the buttons. The text on it is white or black, whichever can be read better"
            placeholder="#0a7d5a"
            maxLength={7}
            flex={1}
            {...color}
            onChange={onChange}
            error={color.value !== '' && !isColor(color.value) ? '# and six digits or letters a to f' : color.error}
          />
          <input
            type="color"
            aria-label="Pick the colour"
            className={style.swatch}
            value={isColor(color.value) ? color.value : '#0a7d5a'}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </Group>
      </Stack>
    </Section>
  );
}

type LogoProps = { form: Form; logo: LogoChoice; stored: Branding['logo']; onLogo(logo: LogoChoice): void };

function LogoInput({ form, logo, stored, onLogo }: LogoProps) {
  const [problem, setProblem] = useState<string>();
  const hasLogo = logo.kind === 'file' || (logo.kind === 'kept' && stored !== undefined);
  const { error } = form.input('logo' as never);
  const choose = async (file: File | null) => {
    if (file === null) return;
    const found = problemOfFile(file);
    setProblem(found);
    if (found === undefined) onLogo({ kind: 'file', file, base64: await base64Of(file) });
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG, JPEG or WebP, up to 128 KB and 2,048 pixels. Invoices and mails show no WebP, and mails none above 32 KB."
      error={problem ?? error}
      data-path="logo"
    >
      <Group gap="xs" mt={6}>
        <FileButton onChange={choose} accept={logoTypes.join()}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {hasLogo ? 'Replace logo' : 'Upload logo'}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <Button variant="subtle" size="xs" onClick={() => onLogo({ kind: stored === undefined ? 'kept' : 'none' })}>
            Remove logo
          </Button>
        )}
        {logo.kind === 'file' && <span className="quiet">{logo.file.name}</span>}
      </Group>
    </Input.Wrapper>
  );
}

function Contact({ form: { input } }: { form: Form }) {
  return (
    <Section title="Contact and terms">
      <Stack gap="md">
        <TextInput label="Support email" type="email" maxLength={254} {...input('support_email')} />
        <Textarea label="Address" autosize minRows={2} maxRows={6} maxLength={300} {...input('support_address')} />
        <TextInput
          label="Statement descriptor"
          description="What customers find on the statement of their card, where the processor can show it"
          maxLength={22}
          {...input('statement_descriptor')}
        />
        <TextInput label="Terms" placeholder="https://" maxLength={2_048} {...input('terms_url')} />
        <TextInput label="Privacy policy" placeholder="https://" maxLength={2_048} {...input('privacy_url')} />
      </Stack>
    </Section>
  );
}

function Seller({ form: { input } }: { form: Form }) {
  return (
    <Section title="Invoices and receipts">
      <Stack gap="md">
        <TextInput
          label="Legal name"
          description="Who sells, on PDF documents. Without it, the name above is printed"
          maxLength={200}
          {...input('legal_name')}
        />
        <Textarea label="Legal address" autosize minRows={2} maxRows={6} maxLength={300} {...input('legal_address')} />
        <TextInput label="Tax ID" maxLength={64} {...input('tax_id')} />
        <Textarea
          label="Footer"
          description="At the end of each page, such as your bank account or court of registration. Up to 4 lines"
          autosize
          minRows={2}
          maxRows={4}
          maxLength={400}
          {...input('document_footer')}
        />
      </Stack>
    </Section>
  );
}
