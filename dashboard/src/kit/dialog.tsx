import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './action_dialog.module.css';

type DialogProps = {
  title: string;
  /** It has something that must not be lost: only a button of its own closes it. */
  isKept?: boolean;
  onClose(): void;
  children: ReactNode;
};

/** Something to read. A change has an `ActionDialog`. */
export function Dialog({ title, isKept = false, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened onClose={onClose} centered closeOnClickOutside={!isKept} closeOnEscape={!isKept}>
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        <div className={style.head}>
          <Modal.Title>{title}</Modal.Title>
          {!isKept && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
