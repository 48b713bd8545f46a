export { SubscriptionPage as Detail } from './detail.tsx';
export { SubscriptionsPage as Page } from './list.tsx';
