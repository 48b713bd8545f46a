export { CouponPage as Detail } from './detail.tsx';
export { CouponsPage as Page } from './list.tsx';
