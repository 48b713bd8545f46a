import { setNonce } from 'get-nonce';

/** The nonce of this page, which the gateway has put into it. Style elements without it are refused by the browser. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// For what Mantine's dialogs use to keep the page behind them from scrolling.
setNonce(nonce);
