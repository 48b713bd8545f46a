/** Of the page that cardholders pay on. A random token follows. */
export const payPath = '/simulator/pay/';
