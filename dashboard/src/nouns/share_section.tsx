import { Button, Group, Stack } from '@mantine/core';
import { Command } from '../kit/copy.tsx';
import { Section } from '../kit/detail_page.tsx';
import { QrCode, QrDownloads } from '../kit/qr_code.tsx';
import style from './share_section.module.css';

/** The address of a page for customers: to copy, to open, and as a code. `name`: of the files of the code. */
export function ShareSection({ url, name }: { url: string; name: string }) {
  return (
    <Section title="Share">
      <div className={style.share}>
        <QrCode text={url} label="QR code of the address" />
        <Stack gap="sm" miw={0}>
          <Command text={url} label="Copy the address" />
          <Group gap="xs">
            <Button component="a" href={url} target="_blank" rel="noreferrer" size="xs">
              Open the page
            </Button>
            <QrDownloads text={url} name={name} />
          </Group>
        </Stack>
      </div>
    </Section>
  );
}
