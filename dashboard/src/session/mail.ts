/** Whether this gateway sends mails: it puts that into the page. Links go by mail then, and nobody has to pass them on. */
export function sendsMail(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="mail"]')?.content === 'sent';
}
