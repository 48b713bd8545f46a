import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './action_dialog.module.css';

type DialogProps = {
  title: string;
  /** It has something that must not be lost: a click beside it does not close it. */
  isKept?: boolean;
  isWide?: boolean;
  onClose(): void;
  children: ReactNode;
};

/** A frame over the page. A change has an `ActionDialog`. */
export function Dialog({ title, isKept = false, isWide = false, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened onClose={onClose} centered size={isWide ? 'lg' : 'md'} closeOnClickOutside={!isKept}>
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        <div className={style.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
