const PAGE = 1_000;

/** Returns a function that reads the numbers of the service's jobs by title, not through Fleetwire. */
export function jobsOf(env: Readonly<Record<string, string>>): () => Promise<Map<string, string[]>> {
  const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const accessToken = async () => {
    const headers = { authorization: basic, "content-type": "application/x-www-form-urlencoded" };
    const url = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
    const response = await fetch(url, { method: "POST", headers, body: "grant_type=client_credentials" });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  return async () => {
    const headers = { "x-connect-token": `TOKEN ${await accessToken()}` };
    const found = new Map<string, string[]>();
    for (let skip = 0; ; skip += PAGE) {
      const url = `${env["FLEET_API_HOST"]}/job-management/v1/customer/${env["FLEET_CUSTOMER_ID"]}/jobs?limit=${PAGE}&skip=${skip}`;
      const { jobs } = (await (await fetch(url, { headers })).json()) as { jobs: { jobNumber: string; jobTitle: string }[] };
      for (const { jobTitle, jobNumber } of jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
      if (jobs.length < PAGE) return found;
    }
  };
}
