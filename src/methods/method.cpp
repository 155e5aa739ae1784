#include "methods/method.h"

#include "methods/barreiro2017/barreiro2017.h"
#include "methods/clavet2005/clavet2005.h"
#include "methods/mukai2021/mukai2021.h"
#include "methods/takahashi2014/takahashi2014.h"
#include "methods/takamatsu2011/takamatsu2011.h"

namespace treacle {

template <class S>
std::unique_ptr<Method<S>> create_method(std::string_view id, const MethodInput& input) {
    if (id == "clavet2005") return std::make_unique<clavet2005::Clavet2005<S>>(input);
    if (id == "takahashi2014") return std::make_unique<takahashi2014::Takahashi2014<S>>(input);
    if (id == "takamatsu2011") return std::make_unique<takamatsu2011::Takamatsu2011<S>>(input);
    constexpr bool in_double = sizeof(typename S::Real) == sizeof(double);
    if constexpr (!in_double || TREACLE_DOUBLE) {
        if (id == "barreiro2017") return std::make_unique<barreiro2017::Barreiro2017<S>>(input);
    }
    if constexpr (in_double) {
        if (id == "mukai2021") return std::make_unique<mukai2021::Mukai2021<S>>(input);
    }
    return nullptr;
}

template std::unique_ptr<Method<Space2f>> create_method<Space2f>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space3f>> create_method<Space3f>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space2d>> create_method<Space2d>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space3d>> create_method<Space3d>(std::string_view, const MethodInput&);

}  // namespace treacle
