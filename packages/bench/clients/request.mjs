/** The request that all clients send. */
export const PATH = "/public/v1/customer/c1/tracking/live";
export const headers = { authorization: `Basic ${btoa("id:secret")}`, accept: "application/json" };
