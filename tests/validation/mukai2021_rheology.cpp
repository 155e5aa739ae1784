#include "validation/rheometer.h"

namespace treacle::test {
namespace {

TEST(Mukai2021Probe, start_up) {
    Slab slab;
    if (const char* e = getenv("ACROSS")) slab.across = atoi(e);
    if (const char* e = getenv("ALONG")) slab.along = atoi(e);
    if (const char* e = getenv("DT")) slab.dt = atof(e);
    if (const char* e = getenv("SETTINGS")) slab.settings = e;
    const double rate = 50, stop = 5 * slab.fluid.relaxation_time;
    slab.top_motion = sliding(rate * slab.gap, stop);
    RunningScene run(slab.scene());
    const int frames = int(std::round(stop / slab.dt)), every = frames / 25;
    for (int n = 1; n <= frames * 2; ++n) {
        if (!run.advance(1)) { std::printf("%s\n", run.error().c_str()); return; }
        if (n % every) continue;
        const double t = n * slab.dt;
        const auto tau = elastic_stress(run, slab);
        const bool on = n <= frames;
        const double exact = on ? slab.fluid.start_up_stress(rate, t) : slab.fluid.cessation_stress(rate, t - stop);
        const double bulk = tau.xy + (on ? slab.fluid.solvent_viscosity * rate : 0);
        const double n1 = slab.fluid.start_up_normal_difference(rate, t);
        std::printf("t/l %.2f wall %.3f bulk %.3f exact %.3f  ratio %.4f %.4f  N1 %.3f exact %.3f ratio %.4f  it %g\n",
            t / slab.fluid.relaxation_time, wall_stress(run, slab), bulk, exact, wall_stress(run, slab) / exact, bulk / exact,
            tau.xx - tau.yy, on ? n1 : 0, on ? (tau.xx - tau.yy) / n1 : 0, run.metric("iterations_mean"));
    }
}

}  // namespace
}  // namespace treacle::test
