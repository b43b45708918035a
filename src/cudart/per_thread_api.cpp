// The forms of the API that a program built with --default-stream per-thread calls: stream 0 is the thread's
// own.
#include "cudart/call.h"

using workbook::cudart::PerThreadDefault;

#define PER_THREAD(name, suffix, parameters, arguments) \
  WORKBOOK_EXPORT cudaError_t name##suffix parameters { \
    PerThreadDefault scope;                             \
    return name arguments;                              \
  }
#define PTSZ(name, parameters, arguments) PER_THREAD(name, _ptsz, parameters, arguments)
#define PTDS(name, parameters, arguments) PER_THREAD(name, _ptds, parameters, arguments)
using Kind = cudaMemcpyKind;
using Size = std::size_t;

PTDS(cudaMemcpy, (void* to, const void* from, Size n, Kind k), (to, from, n, k))
PTDS(cudaMemcpy2D, (void* to, Size tp, const void* from, Size fp, Size w, Size h, Kind k),
     (to, tp, from, fp, w, h, k))
PTDS(cudaMemcpyToSymbol, (const void* s, const void* from, Size n, Size o, Kind k), (s, from, n, o, k))
PTDS(cudaMemcpyFromSymbol, (void* to, const void* s, Size n, Size o, Kind k), (to, s, n, o, k))
PTDS(cudaMemset, (void* to, int v, Size n), (to, v, n))
PTDS(cudaMemset2D, (void* to, Size p, int v, Size w, Size h), (to, p, v, w, h))

PTSZ(cudaMemcpyAsync, (void* to, const void* from, Size n, Kind k, cudaStream_t s), (to, from, n, k, s))
PTSZ(cudaMemcpy2DAsync,
     (void* to, Size tp, const void* from, Size fp, Size w, Size h, Kind k, cudaStream_t s),
     (to, tp, from, fp, w, h, k, s))
PTSZ(cudaMemcpyToSymbolAsync, (const void* v, const void* from, Size n, Size o, Kind k, cudaStream_t s),
     (v, from, n, o, k, s))
PTSZ(cudaMemcpyFromSymbolAsync, (void* to, const void* v, Size n, Size o, Kind k, cudaStream_t s),
     (to, v, n, o, k, s))
PTSZ(cudaMemsetAsync, (void* to, int v, Size n, cudaStream_t s), (to, v, n, s))
PTSZ(cudaMemset2DAsync, (void* to, Size p, int v, Size w, Size h, cudaStream_t s), (to, p, v, w, h, s))
PTSZ(cudaMallocAsync, (void** out, Size n, cudaStream_t s), (out, n, s))
PTSZ(cudaMallocFromPoolAsync, (void** out, Size n, cudaMemPool_t p, cudaStream_t s), (out, n, p, s))
PTSZ(cudaFreeAsync, (void* p, cudaStream_t s), (p, s))
PTSZ(cudaLaunchKernel, (const void* f, dim3 g, dim3 b, void** a, Size n, cudaStream_t s), (f, g, b, a, n, s))
PTSZ(cudaLaunchKernelExC, (const cudaLaunchConfig_t* c, const void* f, void** a), (c, f, a))
PTSZ(cudaLaunchCooperativeKernel, (const void* f, dim3 g, dim3 b, void** a, Size n, cudaStream_t s),
     (f, g, b, a, n, s))
PTSZ(cudaLaunchHostFunc, (cudaStream_t s, cudaHostFn_t f, void* d), (s, f, d))
PTSZ(cudaStreamAddCallback, (cudaStream_t s, cudaStreamCallback_t f, void* d, unsigned x), (s, f, d, x))
PTSZ(cudaStreamSynchronize, (cudaStream_t s), (s))
PTSZ(cudaStreamQuery, (cudaStream_t s), (s))
PTSZ(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned f), (s, e, f))
PTSZ(cudaStreamGetFlags, (cudaStream_t s, unsigned* out), (s, out))
PTSZ(cudaStreamGetPriority, (cudaStream_t s, int* out), (s, out))
PTSZ(cudaStreamGetId, (cudaStream_t s, unsigned long long* out), (s, out))
PTSZ(cudaStreamGetDevice, (cudaStream_t s, int* out), (s, out))
PTSZ(cudaStreamIsCapturing, (cudaStream_t s, cudaStreamCaptureStatus* out), (s, out))
PTSZ(cudaStreamBeginCapture, (cudaStream_t s, cudaStreamCaptureMode m), (s, m))
PTSZ(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t* out), (s, out))
PTSZ(cudaStreamGetCaptureInfo,
     (cudaStream_t s, cudaStreamCaptureStatus* c, unsigned long long* id, cudaGraph_t* g,
      const cudaGraphNode_t** n, const cudaGraphEdgeData** e, Size* m),
     (s, c, id, g, n, e, m))
PTSZ(cudaGraphLaunch, (cudaGraphExec_t g, cudaStream_t s), (g, s))
PTSZ(cudaGraphUpload, (cudaGraphExec_t g, cudaStream_t s), (g, s))
PTSZ(cudaEventRecord, (cudaEvent_t e, cudaStream_t s), (e, s))
PTSZ(cudaEventRecordWithFlags, (cudaEvent_t e, cudaStream_t s, unsigned f), (e, s, f))
PTSZ(cudaMemPrefetchAsync, (const void* p, Size n, cudaMemLocation l, unsigned f, cudaStream_t s),
     (p, n, l, f, s))
