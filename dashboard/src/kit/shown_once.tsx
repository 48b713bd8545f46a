import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { download } from './list_tools.tsx';
import style from './shown_once.module.css';

type ShownOnceProps = {
  title: string;
  /** What it is for, and that it is not shown again. */
  children: ReactNode;
  lines: readonly string[];
  copyLabel: string;
  /** The name of a file to keep it in. */
  file?: string;
  /** On the button, such as `I have kept it`. */
  confirm: string;
  onClose(): void;
};

/** Something secret that the API shows this once. */
export function ShownOnce({ title, children, lines, copyLabel, file, confirm, onClose }: ShownOnceProps) {
  const text = lines.join('\n');
  return (
    <Dialog title={title} isKept onClose={onClose}>
      <Stack gap="md">
        <div className={style.about}>{children}</div>
        <div className={style.secret}>
          <code data-many={lines.length > 1 || undefined}>
            {lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </code>
          <Copy text={text} label={copyLabel} />
        </div>
        <Group justify="flex-end" gap="xs">
          {file !== undefined && (
            <Button
              variant="default"
              leftSection={<Icon name="download" size={14} />}
              onClick={() => download(new Blob([`${text}\n`], { type: 'text/plain' }), file)}
            >
              Download
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
