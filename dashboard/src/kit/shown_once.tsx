import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import dialog from './action_dialog.module.css';
import { Copy } from './copy.tsx';
import { download } from './download.ts';
import { Icon } from './icon.tsx';
import style from './shown_once.module.css';

type ShownOnceProps = {
  title: string;
  /** What it is for, and that it is not shown again. */
  children: ReactNode;
  lines: readonly string[];
  copyLabel: string;
  /** The name of a file to keep it in. */
  file?: string;
  onClose(): void;
};

/** Something secret that the API shows this once. A click beside the dialog does not close it. */
export function ShownOnce({ title, children, lines, copyLabel, file, onClose }: ShownOnceProps) {
  const text = lines.join('\n');
  return (
    <Modal.Root opened onClose={onClose} centered closeOnClickOutside={false} closeOnEscape={false}>
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        <div className={dialog.head}>
          <Modal.Title>{title}</Modal.Title>
        </div>
        <Modal.Body>
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
                I have kept it
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
