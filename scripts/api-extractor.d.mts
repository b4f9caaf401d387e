export declare const rollUpTypes: (folder: string, entryPoint: string) => string;
export declare function reportApi(folder: string, entryPoint: string): string;
